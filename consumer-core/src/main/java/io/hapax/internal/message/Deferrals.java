package io.hapax.internal.message;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Creates deferrals. */
public final class Deferrals {

  public static final Deferred ABANDONED = new Deferred(Reason.ABANDONED, Duration.ZERO, "");
  public static final Deferred FENCED =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "another owner took over");
  public static final Deferred TOO_SHORT =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "less of the lease was left than the margin");

  /** For a message whose transaction was rolled back, and whose object cannot be made again. */
  public static final Deferred REDELIVERED = new Deferred(
      Reason.RETRY,
      Duration.ZERO,
      "its transaction was rolled back; it runs alone when it is redelivered");

  /**
   * The longest wait before the next claim, whatever the store's answer. The store's clock may have
   * been ahead when it wrote the lease, and an operator may have resolved the mark meanwhile.
   */
  static final Duration MAX_BUSY = Duration.ofMinutes(5);

  private Deferrals() {}

  /** Converts the remaining time of a busy mark into a local wait of limited length. */
  public static Deferred busy(Duration remaining) {
    return remaining.compareTo(MAX_BUSY) <= 0
        ? new Deferred(Reason.BUSY, remaining, "")
        : new Deferred(
            Reason.BUSY,
            MAX_BUSY,
            "busy for another " + remaining.truncatedTo(ChronoUnit.MINUTES)
                + " by the store's clock; it is claimed again within " + MAX_BUSY);
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
