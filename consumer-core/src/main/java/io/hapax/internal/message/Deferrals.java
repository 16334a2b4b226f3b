package io.hapax.internal.message;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The deferrals that need no more than a word. */
public final class Deferrals {

  public static final Deferred ABANDONED = new Deferred(Reason.ABANDONED, Duration.ZERO, "");
  public static final Deferred FENCED =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "another owner took over");
  public static final Deferred TOO_SHORT =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "less of the lease was left than the margin");

  /**
   * After this time the store is asked again, whatever it said: its clock may have been ahead when
   * the lease or the backoff was written, and an operator may have resolved the mark meanwhile.
   */
  static final Duration LONGEST_BUSY = Duration.ofMinutes(5);

  private Deferrals() {}

  /** Turns what a store answered into a local wait; every such wait is made here. */
  public static Deferred busy(Duration remaining) {
    return remaining.compareTo(LONGEST_BUSY) <= 0
        ? new Deferred(Reason.BUSY, remaining, "")
        : new Deferred(
            Reason.BUSY,
            LONGEST_BUSY,
            "busy for another " + remaining.truncatedTo(ChronoUnit.MINUTES)
                + " by the store's clock; it is asked again within " + LONGEST_BUSY);
  }

  public static Deferred behind(Duration after) {
    return new Deferred(Reason.BLOCKED, after, "");
  }

  static Deferred broken(Throwable cause) {
    return new Deferred(Reason.INTERNAL_ERROR, Duration.ofSeconds(1), Descriptions.of(cause));
  }

  public static Deferred storeUnavailable(Throwable cause) {
    return storeUnavailable(Descriptions.of(cause));
  }

  public static Deferred storeUnavailable(String reason) {
    return new Deferred(Reason.STORE_UNAVAILABLE, Duration.ofSeconds(1), reason);
  }
}
