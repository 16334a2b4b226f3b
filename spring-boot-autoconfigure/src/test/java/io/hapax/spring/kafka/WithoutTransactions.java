package io.hapax.spring.kafka;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Takes the transactions from a container that Boot gives it for transactional producers. */
@Configuration(proxyBeanMethods = false)
class WithoutTransactions {

  @Bean
  static ContainerPostProcessor<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
      withoutTransactions() {
    return container -> container.getContainerProperties().setKafkaAwareTransactionManager(null);
  }
}
