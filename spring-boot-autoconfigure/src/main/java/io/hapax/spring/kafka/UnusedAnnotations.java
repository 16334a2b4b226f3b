package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import io.hapax.spring.listener.RefusedListenerException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.util.ClassUtils;

/**
 * Refuses beans whose {@link Idempotent} no container uses, for example because the listener's
 * annotation is missing or is inherited.
 */
final class UnusedAnnotations {

  /** Listeners of RocketMQ are found by another part of Hapax. By name, because it is optional. */
  private static final String ROCKETMQ =
      "org.apache.rocketmq.spring.annotation.RocketMQMessageListener";

  private final ConfigurableListableBeanFactory beans;
  private final Collection<DeclaredListener> declared;

  UnusedAnnotations(ConfigurableListableBeanFactory beans, Collection<DeclaredListener> declared) {
    this.beans = beans;
    this.declared = declared;
  }

  /** Looks at the beans that exist. */
  void refuse() {
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.containsSingleton(name) ? beans.getType(name, false) : null;
      if (type != null && AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
        refuse(ClassUtils.getUserClass(type));
      }
    }
  }

  private void refuse(Class<?> type) {
    if (AnnotatedElementUtils.hasAnnotation(type, Idempotent.class)) {
      if (!listensToRocketMq(type) && !usesMethodOf(type) && !declaresListener(type)) {
        throw refusal(type.getSimpleName());
      }
      return;
    }
    Set<Method> methods = MethodIntrospector.selectMethods(
        type, (Method method) -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class));
    for (Method method : methods) {
      if (!uses(method) && !isListener(method)) {
        throw refusal(type.getSimpleName() + "." + method.getName());
      }
    }
  }

  /**
   * Returns whether Spring would use the annotation of a class. A bean that a test has put in the
   * place of a listener, for example a mock, has no container.
   */
  private static boolean declaresListener(Class<?> type) {
    return isListener(type)
        || !MethodIntrospector.selectMethods(
                type,
                (Method method) -> isListener(method)
                    && AnnotatedElementUtils.hasAnnotation(
                        method.getDeclaringClass(), Idempotent.class))
            .isEmpty();
  }

  private static boolean isListener(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
        .isPresent(KafkaListener.class);
  }

  private static boolean listensToRocketMq(Class<?> type) {
    return MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(ROCKETMQ);
  }

  private boolean uses(AnnotatedElement method) {
    return declared.stream().anyMatch(listener -> listener.methods().contains(method));
  }

  private boolean usesMethodOf(Class<?> type) {
    return declared.stream()
        .flatMap(listener -> listener.methods().stream())
        .anyMatch(method -> method.getDeclaringClass().isAssignableFrom(type));
  }

  private static RefusedListenerException refusal(String name) {
    return new RefusedListenerException(
        name,
        "@Idempotent is not on a listener",
        "Hapax found no @KafkaListener on the same method or class, so the annotation would have no"
            + " effect.",
        "Put both annotations on the same method or class.");
  }
}
