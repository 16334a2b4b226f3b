package io.hapax.spring.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Refuses calls of a listener that acknowledge messages, or change what the consumer reads. */
final class ListenerConsumer implements InvocationHandler {

  private static final Set<String> REFUSED =
      Set.of("commitSync", "commitAsync", "subscribe", "unsubscribe", "assign", "poll", "close");

  private final Consumer<?, ?> consumer;

  private ListenerConsumer(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  @SuppressWarnings("unchecked") // the proxy has this interface only
  static Consumer<Object, Object> of(Consumer<?, ?> consumer) {
    return (Consumer<Object, Object>) Proxy.newProxyInstance(
        ListenerConsumer.class.getClassLoader(),
        new Class<?>[] {Consumer.class},
        new ListenerConsumer(consumer));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (REFUSED.contains(method.getName())) {
      throw new IllegalStateException("a listener with @Idempotent and its interceptors must not"
          + " call " + method.getName() + " of their Consumer: Hapax commits a message once it is"
          + " done, and the container controls the consumer");
    }
    if (method.getName().equals("equals") && arguments != null) {
      return consumer.equals(behind(arguments[0]));
    }
    return AopUtils.invokeJoinpointUsingReflection(
        consumer, method, arguments == null ? new Object[0] : arguments);
  }

  private static @Nullable Object behind(@Nullable Object other) {
    return other != null
            && Proxy.isProxyClass(other.getClass())
            && Proxy.getInvocationHandler(other) instanceof ListenerConsumer guarded
        ? guarded.consumer
        : other;
  }
}
