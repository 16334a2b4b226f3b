package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.HapaxProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PropertyRulesTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(HapaxAutoConfiguration.class));

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
