package io.hapax.redrive;

import io.hapax.DeadLetter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is known of a message's end, as it stands beside the message in its dead letter: in the
 * headers of Kafka, in the properties of RocketMQ. What is missing there is empty, 0 or false.
 *
 * @param consumer the name of the consumer that gave the message up
 * @param messageId its id for people
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

  /** The names under which it stands there. */
  public static final List<String> NAMES =
      List.of(CONSUMER, ID, ATTEMPTS, KIND, DETAIL, IN_DOUBT, COORDINATES);

  /**
   * To be written.
   *
   * @param letter the dead letter
   * @return what is known of its message's end
   */
  public static DeadLetterMetadata of(DeadLetter<?> letter) {
    return new DeadLetterMetadata(
        letter.consumer(),
        letter.messageId(),
        letter.attempts(),
        letter.kind().name(),
        letter.detail(),
        letter.inDoubt(),
        letter.coordinates());
  }

  /**
   * As it was written.
   *
   * @param property answers the text under a name
   * @return the note; all of it empty if the letter is none of Hapax's
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
   * To be written beside the message.
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
   * Why the message died, for people.
   *
   * @return one line
   */
  public String toText() {
    return kind
        + (detail.isEmpty() ? "" : ": " + detail)
        + (inDoubt ? "; may have taken effect" : "");
  }
}
