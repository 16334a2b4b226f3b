package io.hapax.internal;

import io.hapax.Outcome.Deferred;
import io.hapax.Outcome.Reason;
import java.time.Duration;

/** The deferrals that need no more than a word. */
final class Deferrals {

  static final Deferred ABANDONED = new Deferred(Reason.ABANDONED, Duration.ZERO, "");
  static final Deferred FENCED =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "another owner took over");
  static final Deferred TOO_SHORT =
      new Deferred(Reason.LEASE_LOST, Duration.ZERO, "less of the lease was left than the margin");

  private Deferrals() {}

  static Deferred busy(Duration remaining) {
    return new Deferred(Reason.BUSY, remaining, "");
  }

  static Deferred behind(Duration after) {
    return new Deferred(Reason.BEHIND, after, "");
  }

  static Deferred broken(Throwable cause) {
    return new Deferred(Reason.INTERNAL_ERROR, Duration.ofSeconds(1), Descriptions.of(cause));
  }

  static Deferred storeUnavailable(Throwable cause) {
    return storeUnavailable(Descriptions.of(cause));
  }

  static Deferred storeUnavailable(String reason) {
    return new Deferred(Reason.STORE_UNAVAILABLE, Duration.ofSeconds(1), reason);
  }
}
