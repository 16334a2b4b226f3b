package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Incoming;

/**
 * What to do with a message that is older than the store's retention and has no mark. It may be new
 * to this consumer, or it is a replay and its DONE mark was removed; this is unknown. The listener
 * is notified in any case ({@link ReceiverListener#onTooOldToJudge}).
 *
 * <p>The age is the time from {@link Incoming#timestampMillis()}, which the producer or the broker
 * wrote, to the end of the new lease by the store's clock. So a message that was sent less than one
 * lease after the retention horizon is too old as well. A message without a timestamp never is.
 */
public enum TooOldPolicy {
  /** Run it: a replay from before the dedup window takes effect a second time. The default. */
  PROCESS,
  /**
   * Dead-letter it as {@link DeadLetter.Kind#TOO_OLD} without running it; its mark is DEAD. The
   * same holds if its claim was taken over from a vanished owner, which may not have checked the
   * age. A message that failed or was deferred and waits for its next attempt is never too old.
   */
  DEAD_LETTER
}
