package io.hapax.spring.listener;

import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Idempotent.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one listener: its annotation, completed by the properties of its consumer.
 *
 * @param listener the listener, as its developer knows it: class and method
 * @param consumer the consumer's name
 * @param id the expression of the id
 * @param fingerprint the expression of the fingerprint
 * @param mode how marks and effects commit
 * @param store the name of the store's bean; empty for the only one
 * @param onUnknownOutcome the policy for messages in doubt, as text
 * @param shadow whether to observe only
 * @param deadLetters the topic of dead-letter records, with {topic}; empty for none
 * @param tuning the remaining properties of the consumer
 */
public record ListenerDefinition(
    String listener,
    String consumer,
    String id,
    String fingerprint,
    Mode mode,
    String store,
    String onUnknownOutcome,
    boolean shadow,
    Optional<String> deadLetters,
    Consumer tuning) {

  /** What Spring's binding accepts in a key of a map without brackets. */
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9-]+");

  private static final String TOPIC = "{topic}";

  /**
   * Returns where dead-letter records of a topic go.
   *
   * @param topic the message's topic
   * @return the topic; empty if there is none
   */
  public Optional<String> deadLetterTopic(String topic) {
    return deadLetters.map(template -> template.replace(TOPIC, topic));
  }

  /**
   * Returns whether dead-letter records of some topic go to a topic.
   *
   * @param letters the topic of the records
   * @param source accepts the topics of the messages
   * @return true if {@link #deadLetterTopic} returns it for an accepted topic
   */
  public boolean deadLettersTo(String letters, Predicate<String> source) {
    String template = deadLetters.orElse("");
    int begin = template.indexOf(TOPIC);
    if (begin < 0) {
      return template.equals(letters);
    }
    int length = letters.length() - (template.length() - TOPIC.length());
    if (length <= 0) {
      return false;
    }
    String topic = letters.substring(begin, begin + length);
    return source.test(topic) && template.replace(TOPIC, topic).equals(letters);
  }

  /** {@return the property that has the topic of dead-letter records} */
  public String deadLettersSetting() {
    return tuning.deadLetters() == null ? "hapax.dead-letters" : property("dead-letters");
  }

  /**
   * Returns a property of the consumer.
   *
   * @param name its last part
   * @return its name, with the brackets that the consumer's name needs
   */
  public String property(String name) {
    boolean plain = PLAIN.matcher(consumer).matches();
    return "hapax.consumers" + (plain ? "." + consumer : "[" + consumer + "]") + "." + name;
  }

  /** {@return the lease settings} */
  public LeaseSettings lease() {
    return tuning.lease() == null ? LeaseSettings.DEFAULT : LeaseSettings.of(tuning.lease());
  }

  /** {@return the retry settings} */
  public RetrySettings retry() {
    RetrySettings standard = RetrySettings.DEFAULT;
    Duration first = or(tuning.firstBackoff(), standard.firstBackoff());
    Duration longest = or(tuning.maxBackoff(), standard.maxBackoff());
    return new RetrySettings(
        or(tuning.attempts(), standard.maxAttempts()),
        first,
        longest.compareTo(first) < 0 && tuning.maxBackoff() == null ? first : longest);
  }

  void applyTo(ReceiverBuilder<?> builder) {
    builder.lease(lease()).retry(retry());
    if (tuning.handlerTimeout() != null) {
      builder.handlerTimeout(tuning.handlerTimeout());
    }
    if (tuning.drainTimeout() != null) {
      builder.drainTimeout(tuning.drainTimeout());
    }
    if (shadow) {
      builder.shadow();
    }
  }

  private static <T> T or(@Nullable T given, T standard) {
    return given == null ? standard : given;
  }
}
