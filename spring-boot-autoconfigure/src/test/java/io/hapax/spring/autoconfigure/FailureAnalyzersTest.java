package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.listener.RefusedListenerException;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

  @Test
  void a_refused_listener_is_explained(CapturedOutput output) {
    start(RefusedListener.class);

    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("The listener Billing.on cannot be made idempotent: it returns a Mono. It would"
            + " be marked done too early.")
        .containsPattern("Action:\\R\\RReturn void\\.")
        .doesNotContain("at io.hapax");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_refused_store_or_property_is_explained(
      Class<?> application, String property, String[] explanation, CapturedOutput output) {
    start(application, property);
    assertThat(output).contains("APPLICATION FAILED TO START").contains(explanation);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(BrokenStore.class, "--a=b", new String[] {
          "table marks is missing", "whether its table exists (docs/sql.md)"
        }),
        arguments(NoRedis.class, "--hapax.store=redis", new String[] {
          "hapax.store is redis, but the application has no RedisConnectionFactory",
          "Jedis is not supported"
        }),
        arguments(NoRedis.class, "--hapax.retention=-1d", new String[] {
          "hapax.retention is PT-24H but must be positive"
        }));
  }

  private static void start(Class<?> application, String... arguments) {
    assertThatThrownBy(() -> new SpringApplicationBuilder(application)
            .web(WebApplicationType.NONE)
            .run(arguments)
            .close())
        .isNotNull();
  }

  @Configuration(proxyBeanMethods = false)
  static class RefusedListener {

    @Bean
    Object listener() {
      throw new RefusedListenerException(
          "Billing.on", "it returns a Mono", "It would be marked done too early.", "Return void.");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class BrokenStore {

    @Bean
    InMemoryDedupStore store() {
      throw new StoreException("table marks is missing");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({HapaxAutoConfiguration.class, HapaxRedisAutoConfiguration.class})
  static class NoRedis {}
}
