package io.hapax.spring.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * An interceptor of the application that gets the consumer that a listener gets. It is a proxy, so
 * that later versions of spring-kafka may add methods to the interface.
 */
final class GuardedInterceptor implements InvocationHandler {

  private final Object interceptor;

  private GuardedInterceptor(Object interceptor) {
    this.interceptor = interceptor;
  }

  /** Replaces the interceptors of a container that has not started. */
  @SuppressWarnings("unchecked") // the container's interceptors take its records
  static void install(AbstractMessageListenerContainer<Object, Object> container) {
    Object ofRecords = ContainerInternals.recordInterceptor(container);
    if (ofRecords != null) {
      container.setRecordInterceptor(of(RecordInterceptor.class, ofRecords));
    }
    Object ofBatches = ContainerInternals.batchInterceptor(container);
    if (ofBatches != null) {
      container.setBatchInterceptor(of(BatchInterceptor.class, ofBatches));
    }
  }

  private static <T> T of(Class<T> type, Object interceptor) {
    return type.cast(Proxy.newProxyInstance(
        GuardedInterceptor.class.getClassLoader(),
        new Class<?>[] {type},
        new GuardedInterceptor(interceptor)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] guarded = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < guarded.length; i++) {
      if (guarded[i] instanceof Consumer<?, ?> consumer) {
        guarded[i] = ListenerConsumer.of(consumer);
      }
    }
    try {
      return method.invoke(interceptor, guarded);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }
}
