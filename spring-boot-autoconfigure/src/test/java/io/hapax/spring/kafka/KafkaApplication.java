package io.hapax.spring.kafka;

import io.hapax.spring.autoconfigure.HapaxAutoConfiguration;
import io.hapax.spring.autoconfigure.HapaxKafkaAutoConfiguration;
import io.hapax.store.InMemoryDedupStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with Kafka as Boot configures it, and with a store in memory. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Configuration(proxyBeanMethods = false)
@Import({InMemoryDedupStore.class, BootAutoConfigurations.Kafka.class})
@ImportAutoConfiguration({
  PropertyPlaceholderAutoConfiguration.class,
  HapaxAutoConfiguration.class,
  HapaxKafkaAutoConfiguration.class
})
@interface KafkaApplication {}
