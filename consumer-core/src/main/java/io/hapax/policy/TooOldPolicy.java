package io.hapax.policy;

import io.hapax.DeadLetter;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Incoming;

/**
 * What to do with a message that is older than the store's retention and of which the store knows
 * no earlier attempt: it may be new to this consumer, or its DONE mark is forgotten and it is
 * replayed; nobody can tell. Whatever is done, the listener is told
 * ({@link ReceiverListener#onTooOldToJudge}).
 *
 * <p>Its age is counted from {@link Incoming#timestampMillis()}, which a producer or a broker has
 * written, to the end of its new lease by the store's clock: a message that was sent less than a
 * lease after the horizon is too old as well. One without a time is never too old.
 */
public enum TooOldPolicy {
  /** Run it: a replay from beyond the dedup window takes effect a second time. The default. */
  PROCESS,
  /**
   * Dead-letter it as {@link DeadLetter.Kind#TOO_OLD} without running it; its mark is DEAD. So is
   * one whose claim was taken over from a vanished owner, because nobody knows whether that had
   * judged it. What has failed and waits for its next attempt is not too old, however long that
   * takes.
   */
  DEAD_LETTER
}
