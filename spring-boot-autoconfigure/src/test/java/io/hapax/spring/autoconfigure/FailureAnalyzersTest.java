package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.listener.RefusedListenerException;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

  @Test
  void a_store_that_does_not_answer_is_explained(CapturedOutput output) {
    start(BrokenStore.class);

    assertThat(output)
        .containsPattern("Description:\\R\\Rtable marks is missing")
        .contains("whether its table exists (docs/sql.md)");
  }

  @Test
  void a_refused_store_is_explained(CapturedOutput output) {
    start(NoRedis.class, "--hapax.store=redis");

    assertThat(output)
        .contains("hapax.store is redis, but the application has no RedisConnectionFactory")
        .contains("Jedis is not supported");
  }

  @Test
  void a_property_against_its_rule_is_explained(CapturedOutput output) {
    start(NoRedis.class, "--hapax.retention=-1d");

    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("hapax.retention is PT-24H but must be positive");
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
