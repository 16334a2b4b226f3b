package io.hapax;

import io.hapax.mark.Bytes;

/**
 * Asks the downstream whether the effect of a message happened, for
 * {@link UnknownOutcomePolicy#probe(OutcomeProbe)}. Called after the message was claimed anew and
 * before anything runs; never for a message of which nothing is in doubt.
 *
 * <p>It must only ask, or forbid: a probe that can make the downstream refuse tokens below
 * {@link Delivery#fencingToken()} makes its answer final. Called on a thread of its own, for
 * different messages at once; it is interrupted when its time is over. One that ignores the
 * interrupt keeps its thread, and when there are too many of those nobody is asked any more.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface OutcomeProbe<M> {

  /**
   * Asks.
   *
   * @param delivery the message and the claim under which it would run; the lease is kept alive
   *     meanwhile
   * @return what the downstream knows
   * @throws Exception if it could not be asked; that counts as {@link Answer.Unknown}
   */
  Answer ask(Delivery<M> delivery) throws Exception;

  /** What the downstream knows of the effect. */
  sealed interface Answer {

    /** It happened, without a result to keep. */
    Answer APPLIED = new Applied(Bytes.EMPTY);

    /** It did not happen. */
    Answer NOT_APPLIED = new NotApplied();

    /**
     * It happened.
     *
     * @param result what a duplicate of the message is answered with; may be empty
     * @return the answer
     */
    static Answer applied(Bytes result) {
      return new Applied(result);
    }

    /**
     * Nobody can tell, for now.
     *
     * @param reason why, for people
     * @return the answer
     */
    static Answer unknown(String reason) {
      return new Unknown(reason);
    }

    /**
     * It happened: the message is marked DONE and does not run.
     *
     * @param result what a duplicate of the message is answered with; may be empty
     */
    record Applied(Bytes result) implements Answer {}

    /** It did not happen: once that is beyond doubt the message runs. */
    record NotApplied() implements Answer {}

    /**
     * Nobody can tell, for now: the message neither runs nor is acknowledged.
     *
     * @param reason why, for people
     */
    record Unknown(String reason) implements Answer {}
  }
}
