package io.hapax;

import io.hapax.errors.RejectedMessageException;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.TooOldPolicy;

/**
 * A message that will not be tried again.
 *
 * @param message the broker's message
 * @param consumer the name of the consumer that gives it up
 * @param messageId its id for people, empty if it has none
 * @param coordinates where it came from
 * @param attempts how many attempts were made
 * @param kind why
 * @param detail for people: the last error's class and message and those of the error at its root,
 *     each cut after 480 characters; may be empty
 * @param inDoubt whether an attempt may have taken effect: of none is it known that it did not
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
    boolean inDoubt) {

  /** Why a message is dead-lettered. */
  public enum Kind {
    /** It failed, or killed its process, as often as is allowed. */
    ATTEMPTS_EXHAUSTED,
    /**
     * It failed of what no further attempt can mend: a {@link RejectedMessageException}, or an
     * error that {@link ReceiverBuilder#notRetryable} names.
     */
    NOT_RETRYABLE,
    /**
     * An earlier attempt may have taken effect, and by the {@link UnknownOutcomePolicy} it is not
     * run again.
     */
    IN_DOUBT,
    /** It has no usable id. */
    MISSING_ID,
    /** It has an id, but no fingerprint ({@link MissingFingerprintPolicy}); it did not run. */
    MISSING_FINGERPRINT,
    /** Another payload is known under its id. */
    CONFLICT,
    /** It is older than what the store remembers ({@link TooOldPolicy}); it did not run. */
    TOO_OLD
  }
}
