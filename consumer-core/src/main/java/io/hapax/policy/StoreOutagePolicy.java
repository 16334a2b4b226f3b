package io.hapax.policy;

import io.hapax.Delivery;
import io.hapax.ReceiverListener;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import java.time.Duration;

/** What to do with messages while the store does not answer. */
public sealed interface StoreOutagePolicy {

  /**
   * Wait. Nothing runs and nothing is acknowledged until the store answers; nothing is lost and
   * nothing repeats. The default.
   *
   * @return the policy
   */
  static StoreOutagePolicy failClosed() {
    return new FailClosed();
  }

  /**
   * Go on without protection once the store has not answered for so long, until it keeps marks
   * again: one that is full or read-only, and answers what it knows, is away as well. For effects
   * that may repeat rather than wait, in leased mode under {@link UnknownOutcomePolicy#rerun()}.
   *
   * <p>What runs meanwhile leaves no mark: every redelivery of it runs again, now or later, in this
   * process or beside it in another, and no attempts are counted. What had run before, but is not
   * settled yet, is acknowledged as well; its mark is written if the store comes back while this
   * process lives. Each such message is told as {@link ReceiverListener#onStoreBypassed}, and its
   * outcome is {@link Outcome.Unprotected}. {@link Delivery#isProtected()} tells the handler.
   *
   * <p>Counted is from when a call was sent that then failed to when the latest was sent that
   * failed; at least three in a row have to, so that a process that was stopped does not take its
   * own stop for an outage. A call that hangs counts when it ends: the patience is as good as the
   * time-outs of the store. Before the consumer's generation was read for the first time nothing
   * runs, because a message's idempotency key depends on it.
   *
   * @param patience positive; shorter than messages may wait, longer than a failover takes
   * @return the policy
   */
  static StoreOutagePolicy failOpen(Duration patience) {
    return new FailOpen(patience);
  }

  /** See {@link #failClosed()}. */
  record FailClosed() implements StoreOutagePolicy {}

  /**
   * See {@link #failOpen(Duration)}.
   *
   * @param patience how long the store is waited for
   */
  record FailOpen(Duration patience) implements StoreOutagePolicy {

    /**
     * Checks the rule above.
     *
     * @param patience positive
     */
    public FailOpen {
      if (patience.isNegative() || patience.isZero()) {
        throw new IllegalArgumentException(
            "patience of storeOutage is " + patience + " but must be positive");
      }
    }
  }
}
