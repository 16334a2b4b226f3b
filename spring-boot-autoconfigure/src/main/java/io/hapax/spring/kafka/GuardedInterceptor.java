package io.hapax.spring.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * An interceptor of the application, which gets the consumer that a listener gets. If one of the
 * {@code reported} methods throws, all messages of a consumer wait: that is reported as a problem.
 * It is a proxy, so that later versions of spring-kafka may add methods to the interface.
 */
record GuardedInterceptor(Object interceptor, ListenerProblems problems, Set<String> reported)
    implements InvocationHandler {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedInterceptor.class);

  private static final String CLEAN_UP = "clearThreadState";

  @SuppressWarnings("unchecked") // the container's interceptors take its records
  static void install(
      AbstractMessageListenerContainer<Object, Object> container, ListenerProblems problems) {
    Object ofRecords = ContainerInternals.recordInterceptor(container);
    if (ofRecords != null) {
      // If intercept throws, it is the failure of its message.
      container.setRecordInterceptor(of(
          RecordInterceptor.class,
          new GuardedInterceptor(ofRecords, problems, Set.of("setupThreadState", CLEAN_UP))));
    }
    Object ofBatches = ContainerInternals.batchInterceptor(container);
    if (ofBatches != null) {
      container.setBatchInterceptor(of(
          BatchInterceptor.class,
          new GuardedInterceptor(
              ofBatches, problems, Set.of("setupThreadState", "intercept", CLEAN_UP))));
    }
  }

  private static <T> T of(Class<T> type, GuardedInterceptor guarded) {
    return type.cast(Proxy.newProxyInstance(
        GuardedInterceptor.class.getClassLoader(), new Class<?>[] {type}, guarded));
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
    String name = interceptor.getClass().getName() + "." + method.getName();
    boolean isReported = reported.contains(method.getName());
    try {
      Object result = AopUtils.invokeJoinpointUsingReflection(interceptor, method, guarded);
      if (isReported) {
        problems.works(name);
      }
      return result;
    } catch (Throwable e) {
      if (isReported) {
        problems.fails(name, e);
      }
      if (method.getName().equals(CLEAN_UP)) {
        // The messages are handled. An exception here would end the consumer's thread.
        LOG.error("{} failed", name, e);
        return null;
      }
      throw e;
    }
  }
}
