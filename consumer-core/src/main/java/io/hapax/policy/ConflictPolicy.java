package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;

/**
 * Decides what becomes of a message whose id is known with another payload: a producer that uses an
 * id twice, or one that sends an event again with a changed field. It never runs, and it never
 * passes for a duplicate; the mark under its id belongs to the other message and stays as it is.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface ConflictPolicy<M> {

  /** What becomes of such a message. */
  enum Decision {
    /**
     * It is dead-lettered as {@link DeadLetter.Kind#CONFLICT} and acknowledged once that record is
     * acknowledged. What happens without a policy.
     */
    DEAD_LETTER,
    /**
     * It is acknowledged as {@link Outcome.Dropped}, without a trace but the log's and the
     * listener's. Its payload is lost.
     */
    DROP,
    /**
     * It stops its lane: it is deferred with {@link Outcome.Reason#CONFLICT} and judged again after
     * the longest backoff of {@link RetrySettings}, until a person has moved the offset or the
     * policy decides otherwise. {@link IdempotentReceiver#problems()} names it.
     */
    FAIL
  }

  /**
   * Decides about one message. Called on a worker thread, for each delivery of the message anew; it
   * should be quick, because its lane waits, and is interrupted after
   * {@link ReceiverBuilder#handlerTimeout} if that is set.
   *
   * <p>A crash right after it leaves nothing behind: the message comes again, and the policy is
   * asked again.
   *
   * @param conflict the message
   * @return what becomes of it
   * @throws Exception if it cannot decide: as after {@link Decision#FAIL} nothing is acknowledged
   *     and the lane waits, with the backoff of failed attempts
   */
  Decision decide(ConflictingMessage<M> conflict) throws Exception;
}
