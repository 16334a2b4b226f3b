package io.hapax.internal;

/**
 * For how long calls have failed, one after the other, by when they were sent. A call that hangs
 * says nothing of the time after it was sent, and of the time between two calls only so much
 * counts: the rest may be a stop of this process, which is no fault of the store.
 *
 * @param begun whether any has failed
 * @param lastSent when the latest that failed was sent
 * @param nanos for how long they have failed
 */
record Absence(boolean begun, long lastSent, long nanos) {

  /** No call has failed. */
  static final Absence NONE = new Absence(false, 0, 0);

  /**
   * Another call has failed.
   *
   * @param countedAtMost of the time since the one before it was sent
   */
  Absence failed(long sentNanos, long countedAtMost) {
    if (!begun) {
      return new Absence(true, sentNanos, 0);
    }
    long between = Math.max(0, sentNanos - lastSent);
    return new Absence(true, lastSent + between, nanos + Math.min(between, countedAtMost));
  }
}
