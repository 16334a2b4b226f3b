package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Text;
import io.hapax.spring.actuate.HapaxEndpoint;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.InMemoryDedupStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class HapaxAutoConfigurationTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(HapaxAutoConfiguration.class));

  @Test
  void properties_of_a_consumer_without_a_listener_are_reported(CapturedOutput output) {
    runner
        .withUserConfiguration(BillingListener.class)
        .withPropertyValues("hapax.consumers.biling.lease=10s", "hapax.consumers.billing.lease=10s")
        .run(context -> assertThat(output)
            .contains("hapax.consumers.biling has no effect: no listener has that consumer;"
                + " there are [billing]")
            .doesNotContain("hapax.consumers.billing has no effect"));
  }

  @Test
  void a_name_with_dots_needs_brackets(CapturedOutput output) {
    runner
        .withPropertyValues(
            "hapax.consumers.billing.eu.first-backoff=10s", "hapax.consumers[billing.us].lease=10s")
        .run(context -> {
          assertThat(context.getBean(HapaxProperties.class).consumers())
              .containsOnlyKeys("billing.us");
          assertThat(output)
              .contains("hapax.consumers.billing.eu.first-backoff has no effect: a name with dots"
                  + " needs brackets, hapax.consumers[billing.eu].first-backoff");
        });
  }

  @Test
  void environment_variables_of_a_consumer_need_no_brackets(CapturedOutput output) {
    runner
        .withInitializer(context -> context
            .getEnvironment()
            .getPropertySources()
            .addFirst(new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of("HAPAX_CONSUMERS_BILLING_FIRST_BACKOFF", "10s"))))
        .run(context -> {
          assertThat(context.getBean(HapaxProperties.class).consumers())
              .containsOnlyKeys("billing");
          assertThat(output).doesNotContain("a name with dots");
        });
  }

  @Test
  void the_endpoint_exists_if_it_is_exposed() {
    ApplicationContextRunner endpoints =
        runner.withConfiguration(AutoConfigurations.of(HapaxEndpointAutoConfiguration.class));

    endpoints
        .withPropertyValues("management.endpoints.web.exposure.include=health")
        .run(context -> assertThat(context).doesNotHaveBean(HapaxEndpoint.class));
    endpoints
        .withPropertyValues("management.endpoints.web.exposure.include=hapax")
        .run(context -> assertThat(context).hasSingleBean(HapaxEndpoint.class));
  }

  @Test
  void the_health_indicator_can_be_disabled() {
    ApplicationContextRunner health =
        runner.withConfiguration(AutoConfigurations.of(HapaxHealthAutoConfiguration.class));

    health.run(context -> assertThat(context).hasBean("hapaxHealthIndicator"));
    health
        .withPropertyValues("management.health.hapax.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("hapaxHealthIndicator"));
    health
        .withBean("hapaxHealthIndicator", String.class)
        .run(context -> assertThat(context.getBean("hapaxHealthIndicator")).isEqualTo(""));
  }

  @Test
  void an_application_without_the_actuator_starts() {
    runner
        .withClassLoader(new FilteredClassLoader(
            "org.springframework.boot.actuate", "org.springframework.boot.health"))
        .withConfiguration(AutoConfigurations.of(
            HapaxEndpointAutoConfiguration.class, HapaxHealthAutoConfiguration.class))
        .run(context -> assertThat(context)
            .hasNotFailed()
            .doesNotHaveBean("hapaxEndpoint")
            .doesNotHaveBean("hapaxHealthIndicator"));
  }

  @Configuration(proxyBeanMethods = false)
  @Import(InMemoryDedupStore.class)
  static class BillingListener {

    @Bean
    InitializingBean listener(Receivers receivers) {
      return () -> Text.open(receivers, Text.settings("billing", Consumer.DEFAULT), delivery -> {});
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          hapax.retention=-1d | hapax.retention is PT-24H but must be positive
          hapax.dead-letters=a/b | hapax.dead-letters is 'a/b' but must be the name of a topic
          hapax.dead-letters={topc}-dlt | hapax.dead-letters is '{topc}-dlt' but must be the name
          hapax.jdbc.table= | hapax.jdbc.table is '' but must not be blank
          hapax.redis.prefix= | hapax.redis.prefix is '' but must not be blank
          hapax.redis.command-timeout=0s | hapax.redis.command-timeout is PT0S but must be positive
          hapax.redis.compact-marks=0 | hapax.redis.compact-marks is 0 but must be at least 1
          hapax.consumers.billing.lease=0s | hapax.consumers.billing.lease is PT0S but must be
          hapax.consumers.billing.attempts=0 | hapax.consumers.billing.attempts is 0 but must be at
          hapax.consumers.billing.first-backoff=-1s | first-backoff is PT-1S but must be positive
          hapax.consumers.billing.handler-timeout=0s | handler-timeout is PT0S but must be positive
          hapax.consumers.billing.drain-timeout=-1s | drain-timeout is PT-1S but must not be
          hapax.consumers.billing.dead-letters=a b | dead-letters is 'a b' but must be the name of
          """, quoteCharacter = '`')
  void a_value_against_its_rule_is_refused(String property, String message) {
    runner
        .withPropertyValues(property)
        .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
  }

  @Test
  void a_longest_backoff_below_the_first_one_is_refused() {
    runner
        .withPropertyValues(
            "hapax.consumers.billing.first-backoff=9s", "hapax.consumers.billing.max-backoff=1s")
        .run(context -> assertThat(context.getStartupFailure())
            .hasStackTraceContaining("hapax.consumers.billing.max-backoff is PT1S but must be at"
                + " least first-backoff, which is PT9S"));
  }

  @Test
  void values_within_their_rules_are_accepted() {
    runner
        .withPropertyValues(
            "hapax.dead-letters=%DLQ%{topic}",
            "hapax.consumers.billing.attempts=3", "hapax.consumers.billing.drain-timeout=0s")
        .run(context -> assertThat(context.getBean(HapaxProperties.class).consumers())
            .hasEntrySatisfying(
                "billing", billing -> assertThat(billing.attempts()).isEqualTo(3)));
  }
}
