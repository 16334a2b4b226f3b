package io.hapax.simulation;

/** Whether a process lives, and until when it is frozen. */
final class Life {

  private boolean over;
  private long frozenUntil;

  boolean over() {
    return over;
  }

  /** From now on nothing of it happens any more. */
  void end() {
    over = true;
  }

  void freezeUntil(long nanos) {
    frozenUntil = Math.max(frozenUntil, nanos);
  }

  /** When something that was to happen then happens. */
  long movesAt(long nanos) {
    return over ? nanos : Math.max(nanos, frozenUntil);
  }
}
