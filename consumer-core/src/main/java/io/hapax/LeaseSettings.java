package io.hapax;

import io.hapax.setting.Durations;
import java.time.Duration;

/**
 * The leases of claims.
 *
 * @param lease the length of a lease; also how long the message of a dead consumer waits
 * @param renewInterval how often leases of running handlers are renewed; less than half of a lease
 * @param margin what must remain of a lease when a handler starts; less than lease minus interval
 */
public record LeaseSettings(Duration lease, Duration renewInterval, Duration margin) {

  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** Lease 30 s, renewed every 10 s, margin 5 s. */
  public static final LeaseSettings DEFAULT = of(Duration.ofSeconds(30));

  /**
   * Checks the rules above.
   *
   * @param lease at least 100 ms
   * @param renewInterval positive, less than half of the lease
   * @param margin not negative
   */
  public LeaseSettings {
    Durations.notNegative("lease", lease);
    if (lease.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("lease is " + lease + " but must be at least 100 ms");
    }
    Durations.positive("renewInterval", renewInterval);
    Durations.notNegative("margin", margin);
    if (renewInterval.multipliedBy(2).compareTo(lease) >= 0) {
      throw new IllegalArgumentException("renewInterval is " + renewInterval
          + " but must be positive and less than half of lease " + lease);
    }
    if (margin.plus(renewInterval).compareTo(lease) >= 0) {
      throw new IllegalArgumentException("margin is "
          + margin
          + " but must not be negative and, with renewInterval "
          + renewInterval
          + ", be less than lease "
          + lease);
    }
  }

  /**
   * {@return the retention of the store, which must be longer than the lease}
   *
   * @param retention how long the store keeps a DONE mark
   * @throws IllegalArgumentException if the lease is not shorter
   */
  public Duration shorterThan(Duration retention) {
    if (lease.compareTo(retention) >= 0) {
      throw new IllegalArgumentException("lease is " + lease
          + " but must be less than the retention of the store, which is " + retention);
    }
    return retention;
  }

  /**
   * {@return settings with a third of the lease as renew interval and a sixth as margin}
   *
   * @param lease the length of a lease
   */
  public static LeaseSettings of(Duration lease) {
    return new LeaseSettings(lease, lease.dividedBy(3), lease.dividedBy(6));
  }
}
