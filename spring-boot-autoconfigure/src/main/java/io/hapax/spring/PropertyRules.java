package io.hapax.spring;

import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.HapaxProperties.Jdbc;
import io.hapax.spring.HapaxProperties.Redis;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for the values of properties. An error names the property, its value and the rule. */
final class PropertyRules {

  /** What brokers accept in a topic's name, and RocketMQ's {@code %DLQ%}. */
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._%|-]+");

  private PropertyRules() {}

  static void check(Duration retention, @Nullable String deadLetters) {
    positive("hapax.retention", retention);
    topic("hapax.dead-letters", deadLetters);
  }

  static void check(Jdbc jdbc) {
    notBlank("hapax.jdbc.table", jdbc.table());
  }

  static void check(Redis redis) {
    notBlank("hapax.redis.prefix", redis.prefix());
    positive("hapax.redis.command-timeout", redis.commandTimeout());
    positive("hapax.redis.compact-marks", redis.compactMarks());
  }

  static void check(String name, Consumer consumer) {
    String prefix = "hapax.consumers." + name + ".";
    topic(prefix + "dead-letters", consumer.deadLetters());
    positive(prefix + "lease", consumer.lease());
    positive(prefix + "attempts", consumer.attempts());
    positive(prefix + "first-backoff", consumer.firstBackoff());
    positive(prefix + "max-backoff", consumer.maxBackoff());
    positive(prefix + "handler-timeout", consumer.handlerTimeout());
    if (consumer.drainTimeout() != null && consumer.drainTimeout().isNegative()) {
      throw wrong(prefix + "drain-timeout", consumer.drainTimeout(), "must not be negative");
    }
    if (consumer.firstBackoff() != null
        && consumer.maxBackoff() != null
        && consumer.maxBackoff().compareTo(consumer.firstBackoff()) < 0) {
      throw wrong(
          prefix + "max-backoff",
          consumer.maxBackoff(),
          "must be at least first-backoff, which is " + consumer.firstBackoff());
    }
  }

  private static void topic(String property, @Nullable String template) {
    if (template != null && !TOPIC.matcher(template.replace("{topic}", "topic")).matches()) {
      throw wrong(
          property,
          "'" + template + "'",
          "must be the name of a topic, in which {topic} means the message's own topic");
    }
  }

  private static void notBlank(String property, String value) {
    if (value.isBlank()) {
      throw wrong(property, "'" + value + "'", "must not be blank");
    }
  }

  private static void positive(String property, @Nullable Duration value) {
    if (value != null && (value.isNegative() || value.isZero())) {
      throw wrong(property, value, "must be positive");
    }
  }

  private static void positive(String property, @Nullable Number value) {
    if (value != null && value.longValue() < 1) {
      throw wrong(property, value, "must be at least 1");
    }
  }

  private static IllegalArgumentException wrong(String property, Object value, String rule) {
    return new IllegalArgumentException(property + " is " + value + " but " + rule);
  }
}
