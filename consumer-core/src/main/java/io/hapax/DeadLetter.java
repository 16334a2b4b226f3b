package io.hapax;

import io.hapax.errors.RejectedMessageException;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.TooOldPolicy;
import java.util.Optional;

/**
 * A message that is dead-lettered because it is not tried again.
 *
 * @param message the broker's message
 * @param consumer the consumer's name
 * @param messageId its id for people; empty if it has none
 * @param coordinates where it came from
 * @param attempts how many attempts were made
 * @param kind why it is dead-lettered
 * @param detail for people: class and message of the last error and of its root cause, each cut
 *     after 480 characters; may be empty
 * @param inDoubt whether an attempt may have taken effect
 * @param error what the last attempt threw; empty if no attempt of this process failed. Its methods
 *     are those of the user's code and may throw
 * @param <M> the broker's message
 */
public record DeadLetter<M>(
    M message,
    String consumer,
    String messageId,
    String coordinates,
    int attempts,
    Kind kind,
    String detail,
    boolean inDoubt,
    Optional<Throwable> error) {

  /**
   * Makes one without an error.
   *
   * @param message the broker's message
   * @param consumer the consumer's name
   * @param messageId its id for people; empty if it has none
   * @param coordinates where it came from
   * @param attempts how many attempts were made
   * @param kind why it is dead-lettered
   * @param detail for people; may be empty
   * @param inDoubt whether an attempt may have taken effect
   */
  public DeadLetter(
      M message,
      String consumer,
      String messageId,
      String coordinates,
      int attempts,
      Kind kind,
      String detail,
      boolean inDoubt) {
    this(
        message,
        consumer,
        messageId,
        coordinates,
        attempts,
        kind,
        detail,
        inDoubt,
        Optional.empty());
  }

  /** Why a message is dead-lettered. */
  public enum Kind {
    /** It failed, or killed its process, until attempts or broker deliveries were used up. */
    ATTEMPTS_EXHAUSTED,
    /**
     * It failed with an error that no further attempt can fix: a {@link RejectedMessageException},
     * or one that {@link ReceiverBuilder#notRetryable} selects.
     */
    NOT_RETRYABLE,
    /** It may have taken effect, and its {@link UnknownOutcomePolicy} does not run it again. */
    IN_DOUBT,
    /** It has no usable id. */
    MISSING_ID,
    /** It has an id, but no fingerprint ({@link MissingFingerprintPolicy}); it did not run. */
    MISSING_FINGERPRINT,
    /** Another payload is known under its id. */
    CONFLICT,
    /** It is older than the dedup window ({@link TooOldPolicy}); it did not run. */
    TOO_OLD
  }
}
