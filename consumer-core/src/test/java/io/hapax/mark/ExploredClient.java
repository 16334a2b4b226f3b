package io.hapax.mark;

/** How a process uses the store, where it could be wrong. Mutants override what they break. */
class ExploredClient {

  /** The name of a claim. */
  Nonce nonce(int owner, int delivery) {
    return new Nonce(owner + 1L, delivery + 1L);
  }

  /** Whether a message is acknowledged that was not acquired. */
  boolean acknowledges(ClaimAnswer refusal) {
    return refusal instanceof ClaimAnswer.Done || refusal instanceof ClaimAnswer.Dead;
  }

  /** Whether the handler runs although nothing was acquired. */
  boolean runs(ClaimAnswer refusal) {
    return false;
  }

  /** Whether a message is acknowledged whose settlement was answered with this. */
  boolean acknowledges(Verdict verdict, SettleAnswer answer) {
    boolean isOver = verdict instanceof Verdict.Done || verdict instanceof Verdict.Dead;
    return isOver && answer instanceof SettleAnswer.Settled;
  }

  /** Whether a message is acknowledged whose settlement was not answered. */
  boolean acknowledgesSilence(Verdict verdict) {
    return false;
  }

  /** Whether a message is acknowledged once its handler has run, whatever its mark says. */
  boolean acknowledgesBeforeSettling() {
    return false;
  }
}
