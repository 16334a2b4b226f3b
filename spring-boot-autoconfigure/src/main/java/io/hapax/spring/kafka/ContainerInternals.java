package io.hapax.spring.kafka;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.util.ReflectionUtils;

/** Reads parts of a container, also those that have no public getter in spring-kafka 3.3. */
final class ContainerInternals {

  private ContainerInternals() {}

  @SuppressWarnings("unchecked") // a container's interceptor takes its records
  static @Nullable RecordInterceptor<Object, Object> recordInterceptor(
      AbstractMessageListenerContainer<Object, Object> container) {
    return (RecordInterceptor<Object, Object>) got("getRecordInterceptor", container);
  }

  @SuppressWarnings("unchecked") // a container's interceptor takes its records
  static @Nullable BatchInterceptor<Object, Object> batchInterceptor(
      AbstractMessageListenerContainer<Object, Object> container) {
    return (BatchInterceptor<Object, Object>) got("getBatchInterceptor", container);
  }

  private static @Nullable Object got(
      String name, AbstractMessageListenerContainer<Object, Object> container) {
    Method getter = ReflectionUtils.findMethod(AbstractMessageListenerContainer.class, name);
    if (getter == null) {
      throw new IllegalStateException("this version of spring-kafka is not supported");
    }
    ReflectionUtils.makeAccessible(getter);
    return ReflectionUtils.invokeMethod(getter, container);
  }

  static GenericMessageListener<?> listener(AbstractMessageListenerContainer<?, ?> container) {
    return (GenericMessageListener<?>) container.getContainerProperties().getMessageListener();
  }

  static boolean isManual(AbstractMessageListenerContainer<?, ?> container) {
    AckMode mode = container.getContainerProperties().getAckMode();
    return mode == AckMode.MANUAL || mode == AckMode.MANUAL_IMMEDIATE;
  }

  static ConsumerFactory<?, ?> consumerFactory(AbstractMessageListenerContainer<?, ?> container) {
    Object factory = new DirectFieldAccessor(container).getPropertyValue("consumerFactory");
    if (factory == null) {
      throw new IllegalStateException("the container has no consumer factory");
    }
    return (ConsumerFactory<?, ?>) factory;
  }
}
