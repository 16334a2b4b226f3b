package io.hapax.spring.autoconfigure;

import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.Receivers;
import io.hapax.spring.rocketmq.RocketMqListeners;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Listeners of rocketmq-spring with {@link io.hapax.spring.Idempotent}. */
@AutoConfiguration(after = HapaxAutoConfiguration.class)
@ConditionalOnClass({DefaultRocketMQListenerContainer.class, RocketMqReceiver.class})
public class HapaxRocketMqAutoConfiguration {

  @Bean
  static BeanPostProcessor hapaxRocketMqListenerPostProcessor(BeanFactory beans) {
    return RocketMqListeners.attaching(beans);
  }

  @Bean
  @ConditionalOnMissingBean
  RocketMqListeners hapaxRocketMqListeners(
      ConfigurableListableBeanFactory beans,
      ListenerSettingsResolver resolver,
      Receivers receivers) {
    return new RocketMqListeners(beans, resolver, receivers);
  }
}
