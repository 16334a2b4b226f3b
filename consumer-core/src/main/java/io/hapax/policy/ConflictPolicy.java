package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;

/**
 * Decides what to do with a message whose id is known with another payload. Its producer used an id
 * twice, or sent an event again with a changed field. The message never runs and does not count as
 * a duplicate. The mark under its id belongs to the other message and does not change.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface ConflictPolicy<M> {

  /** What to do with such a message. */
  enum Decision {
    /**
     * Dead-letter it as {@link DeadLetter.Kind#CONFLICT}, and acknowledge it once that record is
     * acknowledged. The default.
     */
    DEAD_LETTER,
    /** Acknowledge it as {@link Outcome.Dropped}. Only log and listener record its loss. */
    DROP,
    /**
     * Stop its lane: it is deferred with {@link Outcome.Reason#CONFLICT} and decided again after
     * the longest backoff of {@link RetrySettings}, until a person has moved the offset or the
     * policy decides otherwise. {@link IdempotentReceiver#problems()} names it.
     */
    FAIL
  }

  /**
   * Decides about one message. Called where handlers run, at each delivery of the message. It
   * should be quick, because the lane waits; it is interrupted after
   * {@link ReceiverBuilder#handlerTimeout} if that is set.
   *
   * <p>A decision is not stored: after a crash the policy is called again at the redelivery.
   *
   * @param conflict the message
   * @return the decision
   * @throws Exception if it cannot decide: the message is not acknowledged and its lane waits, as
   *     after {@link Decision#FAIL}, with the backoff of failed attempts
   */
  Decision decide(ConflictingMessage<M> conflict) throws Exception;

  /**
   * A message whose id is known with another payload.
   *
   * @param message the broker's message
   * @param messageId the id of both messages, for people
   * @param coordinates where this message came from
   * @param detail what the mark under the id says, for people
   * @param <M> the broker's message
   */
  record ConflictingMessage<M>(M message, String messageId, String coordinates, String detail) {}
}
