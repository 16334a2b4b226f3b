package io.hapax.policy;

import io.hapax.Delivery;
import io.hapax.ReceiverListener;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.adapter.Outcome;
import io.hapax.setting.Durations;
import java.time.Duration;

/** What to do with messages while the store does not answer. */
public sealed interface StoreOutagePolicy {

  /**
   * Wait. No message runs or is acknowledged until the store answers, so none is lost or repeated.
   * The default.
   *
   * @return the policy
   */
  static StoreOutagePolicy failClosed() {
    return new FailClosed();
  }

  /**
   * Run messages without protection after the store has not answered for {@code patience}, until it
   * writes marks again. A store that is full or read-only counts as an outage too. For effects that
   * may repeat but must not wait, in leased mode under {@link UnknownOutcomePolicy#rerun()}.
   *
   * <p>A message that runs without protection leaves no mark. Every redelivery of it runs again, in
   * this process or in another one, possibly at the same time, and its attempts are not counted. A
   * message that ran before the outage and is not settled is acknowledged too; its mark is written
   * if the store recovers while this process lives. {@link ReceiverListener#onStoreBypassed} is
   * called for each such message, and its outcome is {@link Outcome.Unprotected}. The handler sees
   * it in {@link Delivery#isProtected()}.
   *
   * <p>The outage is measured from the start of the first failed call to the start of the latest
   * one. At least three calls in a row must fail, so that a process that was stopped does not take
   * its own stop for an outage. A call that hangs counts when it ends, so the timeouts of the store
   * limit how precise {@code patience} is. No message runs before the consumer's generation was
   * read for the first time, because its idempotency key depends on the generation.
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
   * @param patience how long to wait for the store
   */
  record FailOpen(Duration patience) implements StoreOutagePolicy {

    /**
     * Checks the rule above.
     *
     * @param patience positive
     */
    public FailOpen {
      Durations.positive("patience of storeOutage", patience);
    }
  }
}
