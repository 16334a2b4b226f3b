package io.hapax.spring.kafka;

import io.hapax.spring.Idempotent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Refuses beans whose {@link Idempotent} would have no effect, whenever they are made. It has no
 * order, so Spring Kafka's post-processor has made the containers of a bean when this one sees it
 * the second time.
 */
public final class KafkaListenerPostProcessor implements BeanPostProcessor {

  private final ConfigurableListableBeanFactory beans;
  private final Set<Class<?>> others = ConcurrentHashMap.newKeySet();

  /**
   * Makes the post-processor.
   *
   * @param beans where {@link IdempotentListeners} is looked up
   */
  public KafkaListenerPostProcessor(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    if (concerns(bean)) {
      ClassRules.refuse(AopUtils.getTargetClass(bean));
    }
    return bean;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (concerns(bean)) {
      ClassRules.refuse(AopUtils.getTargetClass(bean)); // a factory's product comes here only
      if (beans.getSingleton(IdempotentListeners.BEAN) instanceof IdempotentListeners listeners
          && listeners.isRunning()) {
        listeners.refuseUnused(declared -> declared.isOf(AopUtils.getTargetClass(bean)));
      }
    }
    return bean;
  }

  private boolean concerns(Object bean) {
    Class<?> type = AopUtils.getTargetClass(bean);
    if (others.contains(type)) {
      return false;
    }
    boolean annotated =
        AnnotationUtils.isCandidateClass(type, Idempotent.class) && ClassRules.has(type);
    if (!annotated) {
      others.add(type);
    }
    return annotated;
  }
}
