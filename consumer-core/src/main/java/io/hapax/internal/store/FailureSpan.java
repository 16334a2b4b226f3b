package io.hapax.internal.store;

/**
 * For how long calls have failed, one after the other, by when they were sent. A call that hangs
 * says nothing of the time after it was sent, and of the time between two calls only so much
 * counts: the rest may be a stop of this process, which is no fault of the store.
 *
 * @param begun whether any has failed
 * @param lastSent when the latest that failed was sent
 * @param nanos for how long they have failed
 */
public record FailureSpan(boolean begun, long lastSent, long nanos) {

  /** No call has failed. */
  public static final FailureSpan NONE = new FailureSpan(false, 0, 0);

  /**
   * Another call has failed.
   *
   * @param countedAtMost of the time since the one before it was sent
   */
  FailureSpan failed(long sentNanos, long countedAtMost) {
    if (!begun) {
      return new FailureSpan(true, sentNanos, 0);
    }
    long between = Math.max(0, sentNanos - lastSent);
    return new FailureSpan(true, lastSent + between, nanos + Math.min(between, countedAtMost));
  }
}
