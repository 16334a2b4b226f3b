package io.hapax.operations.lookup;

import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.text.Text;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What is known of messages beside their marks. */
public interface MessageSources {

  /**
   * The dead-letter records of a message.
   *
   * @param topic the topic that was searched; may be empty
   * @param records each record, with the result that a redrive would have
   * @param complete whether there can be no other record
   * @param failure why the topic could not be searched; may be empty
   */
  record DeadLetters(String topic, List<RedriveSample> records, boolean complete, Text failure) {

    /** No dead-letter topic was searched. */
    public static final DeadLetters NONE = new DeadLetters("", List.of(), false, Text.NONE);
  }

  /**
   * A line of the action log. It is no dry run.
   *
   * @param at when
   * @param user the user
   * @param action the name of the action
   * @param result {@link #BEGINS}, or the result
   */
  record LoggedAction(Instant at, String user, String action, Text result) {

    /** The result of an action that has begun. */
    public static final String BEGINS = Text.of("log.begins").toString();

    /** The beginning of the result of an action that changed nothing. */
    public static final String REFUSED = Text.of("log.refused", "").toString();

    /** The beginning of the result of an action that may have changed something. */
    public static final String FAILED = Text.of("log.failed", "").toString();

    /** {@return whether the action has begun, and has no result yet} */
    boolean begins() {
      return result.toString().equals(BEGINS);
    }

    /** {@return whether the action has published the message} */
    boolean hasPublished() {
      String english = result.toString();
      return (action.equals("redrive") || action.equals("redeliver"))
          && !begins()
          && !english.startsWith(REFUSED)
          && !english.startsWith(FAILED)
          && !english.contains(", 0 published")
          && !english.contains(", 0 changed");
    }
  }

  /**
   * {@return the dead-letter records of a message}
   *
   * @param id the id
   * @param mark its mark, which may name another dead-letter topic
   * @throws Exception if the store or the broker does not answer
   */
  DeadLetters letters(Bytes id, Optional<Mark> mark) throws Exception;

  /**
   * {@return what users have done with a message, oldest first}
   *
   * @param id the id in the format of {@code --message}
   * @throws IOException if the action log cannot be read
   */
  List<LoggedAction> actions(String id) throws IOException;

  /**
   * {@return a search of the topic for a message; empty if there was none}
   *
   * @param id the id
   * @throws Exception if the broker does not answer
   */
  Optional<TopicSearch> search(Bytes id) throws Exception;

  /**
   * {@return how many messages the group has not acknowledged; empty if unknown}
   *
   * @throws Exception if the broker does not answer
   */
  OptionalLong lag() throws Exception;

  /** {@return whether messages can be published} */
  boolean canPublish();

  /** {@return whether messages can be dead-lettered} */
  boolean canDeadLetter();
}
