package io.hapax.redrive;

import io.hapax.DeadLetter;
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
 */
public record DeadLetterMetadata(
    String consumer,
    String messageId,
    int attempts,
    String kind,
    String detail,
    boolean inDoubt,
    String coordinates) {

  private static final String CONSUMER = "hapax-consumer";
  private static final String ID = "hapax-id";
  private static final String ATTEMPTS = "hapax-attempts";
  private static final String KIND = "hapax-kind";
  private static final String DETAIL = "hapax-detail";
  private static final String IN_DOUBT = "hapax-in-doubt";
  private static final String COORDINATES = "hapax-coordinates";

  /** The names of the headers or properties. */
  public static final List<String> NAMES =
      List.of(CONSUMER, ID, ATTEMPTS, KIND, DETAIL, IN_DOUBT, COORDINATES);

  /**
   * Returns the metadata of a message that is being dead-lettered.
   *
   * @param record the message and why it is dead-lettered
   * @return its metadata
   */
  public static DeadLetterMetadata of(DeadLetter<?> record) {
    return new DeadLetterMetadata(
        record.consumer(),
        record.messageId(),
        record.attempts(),
        record.kind().name(),
        record.detail(),
        record.inDoubt(),
        record.coordinates());
  }

  /**
   * Reads the metadata of a dead-letter record.
   *
   * @param property returns the text of a header or property, by its name
   * @return the metadata; empty if Hapax did not write the record
   */
  public static DeadLetterMetadata read(Function<String, Optional<String>> property) {
    return new DeadLetterMetadata(
        property.apply(CONSUMER).orElse(""),
        property.apply(ID).orElse(""),
        property
            .apply(ATTEMPTS)
            .filter(it -> it.matches("\\d{1,9}"))
            .map(Integer::parseInt)
            .orElse(0),
        property.apply(KIND).orElse(""),
        property.apply(DETAIL).orElse(""),
        property.apply(IN_DOUBT).map(Boolean::parseBoolean).orElse(false),
        property.apply(COORDINATES).orElse(""));
  }

  /**
   * Returns the headers or properties to write into the dead-letter record.
   *
   * @return texts by {@link #NAMES}, in their order
   */
  public Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(CONSUMER, consumer);
    properties.put(ID, messageId);
    properties.put(ATTEMPTS, Integer.toString(attempts));
    properties.put(KIND, kind);
    properties.put(DETAIL, detail);
    properties.put(IN_DOUBT, Boolean.toString(inDoubt));
    properties.put(COORDINATES, coordinates);
    return properties;
  }

  /**
   * Describes why the message was dead-lettered, for people.
   *
   * @return one line
   */
  public String toText() {
    return kind
        + (detail.isEmpty() ? "" : ": " + detail)
        + (inDoubt ? "; may have taken effect" : "");
  }
}
