package io.hapax.spring.kafka;

import io.hapax.store.InMemoryDedupStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A store in memory. */
@Configuration(proxyBeanMethods = false)
class MemoryStore {

  @Bean
  InMemoryDedupStore store() {
    return new InMemoryDedupStore();
  }
}
