package io.hapax.spring.autoconfigure;

import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.spring.kafka.IdempotentListenerEnhancer;
import io.hapax.spring.kafka.IdempotentListeners;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.kafka.annotation.KafkaListener;

/** Makes listeners of Spring Kafka idempotent. */
@AutoConfiguration(after = HapaxAutoConfiguration.class)
@ConditionalOnClass({KafkaListener.class, KafkaBatchProcessor.class})
public class HapaxKafkaAutoConfiguration {

  @Bean(IdempotentListeners.BEAN)
  IdempotentListeners hapaxKafkaListeners(ConfigurableListableBeanFactory beans) {
    return new IdempotentListeners(beans);
  }

  /** Static, because Spring Kafka needs it early. Its role spares the application a warning. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static IdempotentListenerEnhancer hapaxKafkaListenerEnhancer(
      ConfigurableListableBeanFactory beans) {
    return new IdempotentListenerEnhancer(beans);
  }
}
