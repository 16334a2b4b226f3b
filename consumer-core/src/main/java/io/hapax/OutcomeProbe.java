package io.hapax;

import io.hapax.mark.Bytes;

/**
 * Asks the downstream whether the effect of a message happened, for
 * {@link UnknownOutcomePolicy#probe(OutcomeProbe)}. Called after a message in doubt was claimed,
 * before its handler runs.
 *
 * <p>A probe must not cause the effect, nor change the message: the handler gets the same object.
 * If it can make the downstream refuse tokens below {@link Delivery#fencingToken()}, its answer is
 * final. Called on a thread of its own, for different messages at a time, and interrupted after its
 * timeout. A probe that ignores the interrupt keeps its thread; when too many threads are kept, no
 * probe is called any more.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface OutcomeProbe<M> {

  /**
   * Asks the downstream.
   *
   * @param delivery the message and the claim under which it would run, whose lease is renewed
   * @return the answer
   * @throws Exception if the downstream did not answer; this counts as {@link Answer.Unknown}
   */
  Answer ask(Delivery<M> delivery) throws Exception;

  /** The downstream's answer. */
  sealed interface Answer {

    /** The effect happened; there is no result. */
    Answer APPLIED = new Applied(Bytes.EMPTY);

    /** The effect did not happen. */
    Answer NOT_APPLIED = new NotApplied();

    /**
     * {@return the answer that the effect happened}
     *
     * @param result the result that duplicates receive; may be empty
     */
    static Answer applied(Bytes result) {
      return new Applied(result);
    }

    /**
     * {@return the answer that it is unknown for now whether the effect happened}
     *
     * @param reason why, for people
     */
    static Answer unknown(String reason) {
      return new Unknown(reason);
    }

    /**
     * The effect happened: the message is marked DONE and does not run.
     *
     * @param result the result that duplicates receive; may be empty
     */
    record Applied(Bytes result) implements Answer {}

    /** The effect did not happen: the message runs after the quiet period. */
    record NotApplied() implements Answer {}

    /**
     * It is unknown for now: the message neither runs nor is acknowledged.
     *
     * @param reason why, for people
     */
    record Unknown(String reason) implements Answer {}
  }
}
