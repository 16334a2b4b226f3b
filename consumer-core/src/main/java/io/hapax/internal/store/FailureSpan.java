package io.hapax.internal.store;

/**
 * Measures how long consecutive calls have failed, by the times at which they were sent. A call
 * that hangs proves nothing about the time after it was sent. The time between two calls counts up
 * to a limit only: a longer gap may be a suspension of this process instead of an outage.
 *
 * @param begun whether any call has failed
 * @param lastSent when the latest failed call was sent
 * @param nanos the length of the span
 */
public record FailureSpan(boolean begun, long lastSent, long nanos) {

  /** The span before any call has failed. */
  public static final FailureSpan NONE = new FailureSpan(false, 0, 0);

  /**
   * Extends the span by another failed call.
   *
   * @param maxCounted the limit of what counts of the time since the previous call
   */
  FailureSpan failed(long sentNanos, long maxCounted) {
    if (!begun) {
      return new FailureSpan(true, sentNanos, 0);
    }
    long between = Math.max(0, sentNanos - lastSent);
    return new FailureSpan(true, lastSent + between, nanos + Math.min(between, maxCounted));
  }
}
