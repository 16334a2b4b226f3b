package io.hapax.spring.rocketmq;

import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Finds listeners with {@link io.hapax.spring.Idempotent}, and attaches them before their container
 * starts. A container is a bean of its own, which rocketmq-spring makes for each listener bean.
 */
public final class RocketMqListenerPostProcessor implements BeanPostProcessor {

  private final BeanFactory beans;

  /** Makes the post-processor. It looks up {@link RocketMqListeners} once a listener needs it. */
  public RocketMqListenerPostProcessor(BeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof DefaultRocketMQListenerContainer container) {
      ListenerBean.of(container)
          .ifPresent(it -> beans.getBean(RocketMqListeners.class).attach(beanName, container, it));
    }
    return bean;
  }
}
