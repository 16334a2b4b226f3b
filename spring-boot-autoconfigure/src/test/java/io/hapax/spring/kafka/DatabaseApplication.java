package io.hapax.spring.kafka;

import io.hapax.spring.autoconfigure.HapaxAutoConfiguration;
import io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration;
import io.hapax.spring.autoconfigure.HapaxKafkaAutoConfiguration;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with Kafka and a database as Boot configures them. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Configuration(proxyBeanMethods = false)
@Import({BootAutoConfigurations.Jdbc.class, BootAutoConfigurations.Kafka.class})
@ImportAutoConfiguration({
  PropertyPlaceholderAutoConfiguration.class,
  HapaxAutoConfiguration.class,
  HapaxJdbcAutoConfiguration.class,
  HapaxKafkaAutoConfiguration.class
})
@interface DatabaseApplication {}
