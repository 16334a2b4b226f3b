package io.hapax.spring.kafka;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses a listener whose bean is made after the start and whose container was made without Hapax.
 * It has no order, so Spring Kafka's post-processor has made the containers before.
 */
public final class KafkaListenerPostProcessor implements BeanPostProcessor {

  private final ConfigurableListableBeanFactory beans;

  /** Makes the post-processor. */
  public KafkaListenerPostProcessor(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (beans.getSingleton(IdempotentListeners.BEAN) instanceof IdempotentListeners listeners
        && listeners.isRunning()) {
      Class<?> type = AopUtils.getTargetClass(bean);
      listeners.refuseUnused(declared -> declared.isOf(type));
    }
    return bean;
  }
}
