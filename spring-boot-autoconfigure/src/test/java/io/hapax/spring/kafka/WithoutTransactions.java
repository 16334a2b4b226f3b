package io.hapax.spring.kafka;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Removes the transaction manager that Boot gives a container for transactional producers. */
@Configuration(proxyBeanMethods = false)
class WithoutTransactions {

  @Bean
  static ContainerPostProcessor<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
      withoutTransactions() {
    return container -> container.getContainerProperties().setKafkaAwareTransactionManager(null);
  }
}
