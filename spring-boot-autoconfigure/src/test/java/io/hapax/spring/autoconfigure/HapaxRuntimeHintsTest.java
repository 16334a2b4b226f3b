package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.Idempotent;
import io.hapax.spring.kafka.KeptBytesDeserializer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

class HapaxRuntimeHintsTest {

  private final RuntimeHints hints = new RuntimeHints();

  @Test
  void the_hints_are_found_by_spring() {
    assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
            .load(RuntimeHintsRegistrar.class))
        .hasAtLeastOneElementOfType(HapaxRuntimeHints.class);
  }

  @Test
  void the_guards_of_a_connection_are_proxies() {
    new HapaxRuntimeHints().registerHints(hints, null);

    assertThat(hints)
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(Connection.class))
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(PreparedStatement.class))
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(ResultSet.class));
  }

  @Test
  void the_scripts_of_the_stores_are_resources() {
    new HapaxRuntimeHints().registerHints(hints, null);

    assertThat(hints)
        .matches(RuntimeHintsPredicates.resource().forResource("io/hapax/redis/claim.lua"))
        .matches(RuntimeHintsPredicates.resource().forResource("io/hapax/jdbc/postgresql.sql"))
        .matches(RuntimeHintsPredicates.resource()
            .forResource("io/hapax/jdbc/flyway/h2/V1__hapax_marks.sql"));
  }

  @Test
  void the_annotation_can_be_read() {
    new HapaxRuntimeHints().registerHints(hints, null);

    assertThat(hints)
        .matches(RuntimeHintsPredicates.reflection()
            .onType(Idempotent.class)
            .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS));
  }

  @Test
  void kafka_makes_the_deserializer_and_the_consumer_of_a_listener_is_guarded() {
    new HapaxRuntimeHints().registerHints(hints, getClass().getClassLoader());

    assertThat(hints)
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(Consumer.class))
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(RecordInterceptor.class))
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(BatchInterceptor.class))
        .matches(RuntimeHintsPredicates.reflection()
            .onType(KeptBytesDeserializer.class)
            .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
  }

  @Test
  void an_application_can_be_processed_ahead_of_time() {
    InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    DefaultGenerationContext generation = new DefaultGenerationContext(
        new ClassNameGenerator(ClassName.get("io.hapax.spring", "Application")), files);
    try (AnnotationConfigApplicationContext application =
        new AnnotationConfigApplicationContext()) {
      application.register(HapaxAutoConfiguration.class, HapaxHealthAutoConfiguration.class);

      var unused = new ApplicationContextAotGenerator().processAheadOfTime(application, generation);
    }
    generation.writeGeneratedContent();

    assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
        .anyMatch(name -> name.contains("HapaxAutoConfiguration__BeanDefinitions"));
    assertThat(generation.getRuntimeHints())
        .matches(RuntimeHintsPredicates.proxies().forInterfaces(Connection.class))
        .matches(RuntimeHintsPredicates.reflection().onType(HapaxProperties.class));
  }
}
