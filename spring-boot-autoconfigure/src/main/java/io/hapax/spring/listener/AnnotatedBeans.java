package io.hapax.spring.listener;

import io.hapax.spring.Idempotent;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Refuses beans whose {@link Idempotent} would have no effect or cannot be safe, whenever they are
 * made: also those that are made after the start. No container uses the annotation if that of the
 * listener is missing or inherited, and a listener that another thread runs cannot be safe.
 */
public final class AnnotatedBeans implements BeanPostProcessor {

  /** By name, because an application may have only one of the brokers. */
  private static final String KAFKA = "org.springframework.kafka.annotation.KafkaListener";

  private static final String HANDLER = "org.springframework.kafka.annotation.KafkaHandler";
  private static final String ROCKETMQ =
      "org.apache.rocketmq.spring.annotation.RocketMQMessageListener";

  /** What {@code @EnableAsync} knows. By name, because two of them are optional. */
  private static final Set<String> ASYNC = Set.of(
      "org.springframework.scheduling.annotation.Async",
      "jakarta.ejb.Asynchronous",
      "jakarta.enterprise.concurrent.Asynchronous");

  private final Set<Class<?>> others = ConcurrentHashMap.newKeySet();

  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    check(AopUtils.getTargetClass(bean));
    return bean;
  }

  /** Checks the product of a factory, which is not seen before. */
  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    check(AopUtils.getTargetClass(bean));
    return bean;
  }

  private void check(Class<?> type) {
    if (others.contains(type)) {
      return;
    }
    if (AnnotationUtils.isCandidateClass(type, Idempotent.class) && has(type)) {
      refuse(type);
    } else {
      others.add(type);
    }
  }

  private static boolean has(Class<?> type) {
    return isAnnotated(type) || !methods(type, AnnotatedBeans::isAnnotated).isEmpty();
  }

  private static void refuse(Class<?> type) {
    Set<Method> listeners = methods(type, AnnotatedBeans::isListener);
    if (isAnnotated(type)) {
      listeners.forEach(method -> refuseInherited(type, method));
      if (listeners.isEmpty() && !isListener(type) && !has(type, ROCKETMQ)) {
        throw misplaced(type.getSimpleName());
      }
    }
    for (Method method : methods(type, AnnotatedBeans::isAnnotated)) {
      if (!isListener(method) && !(isListener(type) && isHandler(method))) {
        throw misplaced(name(type, method));
      }
    }
    listeners.forEach(method -> refuseAsync(type, method));
    if (isListener(type)) {
      methods(type, AnnotatedBeans::isHandler).forEach(method -> refuseAsync(type, method));
    }
  }

  private static void refuseAsync(Class<?> type, Method method) {
    boolean idempotent =
        isAnnotated(method) || isAnnotated(method.getDeclaringClass()) || isAnnotated(type);
    if (idempotent && (isAsync(method) || isAsync(type))) {
      throw new RefusedListenerException(
          name(type, method),
          "it has @Async",
          "Another thread would run it, so its message would be marked done before its work is"
              + " done, and a crash would lose it.",
          "Remove @Async; concurrency of the listener sets the number of threads.");
    }
  }

  private static boolean isAsync(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream()
        .anyMatch(annotation -> ASYNC.contains(annotation.getType().getName()));
  }

  /** Spring names the method's own class only, so the enhancer does not see its subclass. */
  private static void refuseInherited(Class<?> type, Method method) {
    Class<?> declaring = method.getDeclaringClass();
    if (!isAnnotated(method) && !isAnnotated(declaring)) {
      throw new RefusedListenerException(
          name(type, method),
          "its method with @KafkaListener is inherited from " + declaring.getSimpleName()
              + ", and @Idempotent is on " + type.getSimpleName(),
          "Spring does not name the subclass, so the annotation would have no effect on that"
              + " method.",
          "Override the method in " + type.getSimpleName() + ", or put @Idempotent on the method.");
    }
  }

  private static Set<Method> methods(Class<?> type, MethodFilter filter) {
    return MethodIntrospector.selectMethods(type, filter);
  }

  private static boolean isAnnotated(AnnotatedElement element) {
    return AnnotatedElementUtils.hasAnnotation(element, Idempotent.class);
  }

  private static boolean isHandler(Method method) {
    return has(method, HANDLER);
  }

  private static boolean isListener(AnnotatedElement element) {
    return has(element, KAFKA);
  }

  private static boolean has(AnnotatedElement element, String annotation) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
  }

  private static String name(Class<?> type, Method method) {
    return type.getSimpleName() + "." + method.getName();
  }

  private static RefusedListenerException misplaced(String name) {
    return new RefusedListenerException(
        name,
        "@Idempotent is not on a listener",
        "Hapax found no @KafkaListener on the same method or class, and no @RocketMQMessageListener"
            + " on the class, so the annotation would have no effect.",
        "Put @Idempotent and @KafkaListener on the same method or class, or @Idempotent and"
            + " @RocketMQMessageListener on the class.");
  }
}
