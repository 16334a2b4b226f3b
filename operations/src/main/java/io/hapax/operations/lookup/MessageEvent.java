package io.hapax.operations.lookup;

import io.hapax.operations.text.Text;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * An event in the history of a message.
 *
 * @param at when, by the clock of its source; empty if unknown
 * @param source what knows of it
 * @param kind sent, claimed, lease-ended, due, done, dead, dead-letter, or the name of an action
 * @param place where the message or its record lies; may be empty
 * @param attempts how many attempts were made; 0 if unknown
 * @param who the consumer or the user; may be empty
 * @param detail a further text; may be empty
 */
public record MessageEvent(
    Optional<Instant> at,
    Source source,
    String kind,
    String place,
    int attempts,
    String who,
    Text detail) {

  /** The sources of events. */
  public enum Source {
    /** The mark of the present generation. */
    MARK,
    /** The mark of the generation before. */
    EARLIER_MARK,
    /** The topic. */
    TOPIC,
    /** The dead-letter topic. */
    DEAD_LETTERS,
    /** The action log of the console. */
    ACTION_LOG;

    /** {@return the name in reports: lower-case words with hyphens} */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
