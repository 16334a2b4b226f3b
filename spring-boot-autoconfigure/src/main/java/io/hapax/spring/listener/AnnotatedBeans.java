package io.hapax.spring.listener;

import io.hapax.spring.Idempotent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Refuses beans whose {@link Idempotent} would have no effect or cannot be safe, whenever they are
 * made: also those that are made after the start.
 */
public final class AnnotatedBeans implements BeanPostProcessor {

  private final Set<Class<?>> others = ConcurrentHashMap.newKeySet();

  /** Makes the post-processor. */
  public AnnotatedBeans() {}

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
    if (AnnotationUtils.isCandidateClass(type, Idempotent.class) && ListenerClassRules.has(type)) {
      ListenerClassRules.refuse(type);
    } else {
      others.add(type);
    }
  }
}
