package io.hapax.spring.kafka;

import java.util.List;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Imports auto-configurations of Spring Boot, whose packages differ between its lines. */
class BootAutoConfigurations implements DeferredImportSelector, Ordered {

  private final List<String> names;

  private BootAutoConfigurations(String... names) {
    this.names = List.of(names);
  }

  @Override
  public String[] selectImports(AnnotationMetadata importing) {
    return names.stream()
        .filter(name -> ClassUtils.isPresent(name, getClass().getClassLoader()))
        .toArray(String[]::new);
  }

  /** After the beans of the application, and before the auto-configurations of Hapax. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE - 10;
  }

  /** Those of Kafka. */
  static final class Kafka extends BootAutoConfigurations {

    Kafka() {
      super(
          "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
          "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
          "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
          "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");
    }
  }

  /** Those of a database. */
  static final class Jdbc extends BootAutoConfigurations {

    Jdbc() {
      super(
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration");
    }
  }
}
