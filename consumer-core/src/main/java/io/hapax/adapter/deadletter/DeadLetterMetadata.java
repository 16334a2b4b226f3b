package io.hapax.adapter.deadletter;

import io.hapax.DeadLetter;
import io.hapax.adapter.DeadLetterHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Describes why a message was dead-lettered, as its dead-letter record says: in headers on Kafka,
 * in properties on RocketMQ. A value that is missing there is empty, 0 or false.
 *
 * @param consumer the name of the consumer that dead-lettered the message
 * @param messageId the message's id, in printable form
 * @param attempts how many attempts were made
 * @param kind the name of the {@link DeadLetter.Kind}
 * @param detail why, for people
 * @param inDoubt whether it may have taken effect
 * @param coordinates where the message came from
 * @param failedAt the method of the application in which the last attempt failed
 */
public record DeadLetterMetadata(
    String consumer,
    String messageId,
    int attempts,
    String kind,
    String detail,
    boolean inDoubt,
    String coordinates,
    String failedAt) {

  private static final int LONGEST = 4_000;

  /** The names of its headers. */
  public static final List<String> NAMES = List.of(
      DeadLetterHeaders.CONSUMER,
      DeadLetterHeaders.ID,
      DeadLetterHeaders.ATTEMPTS,
      DeadLetterHeaders.KIND,
      DeadLetterHeaders.DETAIL,
      DeadLetterHeaders.IN_DOUBT,
      DeadLetterHeaders.COORDINATES,
      DeadLetterHeaders.FAILED_AT);

  /**
   * Cuts every text at 4,000 characters. Records of Hapax have shorter texts, but another program
   * can write records to the topic too.
   *
   * @param consumer the name of the consumer
   * @param messageId the message's id
   * @param attempts how many attempts were made
   * @param kind the name of the kind
   * @param detail why
   * @param inDoubt whether it may have taken effect
   * @param coordinates where the message came from
   * @param failedAt the method in which the last attempt failed
   */
  public DeadLetterMetadata {
    consumer = cut(consumer);
    messageId = cut(messageId);
    kind = cut(kind);
    detail = cut(detail);
    coordinates = cut(coordinates);
    failedAt = cut(failedAt);
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }

  /**
   * {@return the metadata of a message that is being dead-lettered}
   *
   * @param record the message and why it is dead-lettered
   */
  public static DeadLetterMetadata of(DeadLetter<?> record) {
    return new DeadLetterMetadata(
        record.consumer(),
        record.messageId(),
        record.attempts(),
        record.kind().name(),
        record.detail(),
        record.inDoubt(),
        record.coordinates(),
        record.error().map(FailurePlace::of).orElse(""));
  }

  /**
   * {@return the metadata that a dead-letter record holds; empty if Hapax did not write the record}
   *
   * @param property returns the text of a header or property, by its name
   */
  public static DeadLetterMetadata read(Function<String, Optional<String>> property) {
    return new DeadLetterMetadata(
        property.apply(DeadLetterHeaders.CONSUMER).orElse(""),
        property.apply(DeadLetterHeaders.ID).orElse(""),
        property
            .apply(DeadLetterHeaders.ATTEMPTS)
            .filter(it -> it.matches("\\d{1,9}"))
            .map(Integer::parseInt)
            .orElse(0),
        property.apply(DeadLetterHeaders.KIND).orElse(""),
        property.apply(DeadLetterHeaders.DETAIL).orElse(""),
        property.apply(DeadLetterHeaders.IN_DOUBT).map(Boolean::parseBoolean).orElse(false),
        property.apply(DeadLetterHeaders.COORDINATES).orElse(""),
        property.apply(DeadLetterHeaders.FAILED_AT).orElse(""));
  }

  /** {@return the headers or properties of the record, by {@link #NAMES}, in their order} */
  public Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(DeadLetterHeaders.CONSUMER, consumer);
    properties.put(DeadLetterHeaders.ID, messageId);
    properties.put(DeadLetterHeaders.ATTEMPTS, Integer.toString(attempts));
    properties.put(DeadLetterHeaders.KIND, kind);
    properties.put(DeadLetterHeaders.DETAIL, detail);
    properties.put(DeadLetterHeaders.IN_DOUBT, Boolean.toString(inDoubt));
    properties.put(DeadLetterHeaders.COORDINATES, coordinates);
    properties.put(DeadLetterHeaders.FAILED_AT, failedAt);
    return properties;
  }
}
