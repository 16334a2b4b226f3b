package io.hapax.spring.rocketmq;

import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.RefusedListenerException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.core.RocketMQReplyListener;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** A bean with {@link Idempotent} that rocketmq-spring calls. Its class is without proxies. */
record ListenerBean(Class<?> type, Idempotent annotation) {

  private static final String METHOD = "onMessage";

  static Optional<ListenerBean> of(DefaultRocketMQListenerContainer container) {
    Object bean = container.getRocketMQListener() != null
        ? container.getRocketMQListener()
        : container.getRocketMQReplyListener();
    return Optional.ofNullable(bean)
        .map(AopProxyUtils::ultimateTargetClass)
        .flatMap(type -> annotation(type).map(it -> new ListenerBean(type, it)));
  }

  private static Optional<Idempotent> annotation(AnnotatedElement element) {
    return Optional.ofNullable(
        AnnotatedElementUtils.findMergedAnnotation(element, Idempotent.class));
  }

  private static Stream<Method> onMessage(Class<?> type) {
    return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type))
        .filter(method -> method.getName().equals(METHOD));
  }

  String name() {
    return type.getName() + '.' + METHOD;
  }

  boolean replies() {
    return RocketMQReplyListener.class.isAssignableFrom(type);
  }

  ResolvableType payload() {
    Class<?> kind = replies() ? RocketMQReplyListener.class : RocketMQListener.class;
    return ResolvableType.forClass(type).as(kind).getGeneric(0);
  }

  /** Its message would be marked done before its work is done, and a crash would lose it. */
  void refuseAsynchronous() {
    if (isAsync(type) || onMessage(type).anyMatch(ListenerBean::isAsync)) {
      throw asynchronous("it has @Async", "Remove @Async; consumeThreadNumber sets the threads.");
    }
    Class<?> reply = ResolvableType.forClass(type)
        .as(RocketMQReplyListener.class)
        .getGeneric(1)
        .resolve(Object.class);
    if (Future.class.isAssignableFrom(reply)
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(reply) != null) {
      throw asynchronous("it replies with a " + reply.getName(), "Return the reply itself.");
    }
  }

  private static boolean isAsync(AnnotatedElement element) {
    return AnnotatedElementUtils.hasAnnotation(element, Async.class);
  }

  private RefusedListenerException asynchronous(String setting, String wayOut) {
    return new RefusedListenerException(
        name(),
        setting,
        "Hapax marks a message done when the listener returns, and this one returns before its work"
            + " is done.",
        wayOut);
  }
}
