package io.hapax;

import java.time.Duration;

/**
 * How long claims live.
 *
 * @param lease how long a claim lives unless renewed; also how long a dead consumer's message waits
 * @param renewInterval how often running claims are renewed; less than half of the lease
 * @param margin what must be left of the lease when a handler starts; less than lease minus renew
 *     interval
 */
public record LeaseSettings(Duration lease, Duration renewInterval, Duration margin) {

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
    if (lease.toMillis() < 100) {
      throw new IllegalArgumentException("lease is " + lease + " but must be at least 100 ms");
    }
    if (renewInterval.isNegative()
        || renewInterval.isZero()
        || renewInterval.multipliedBy(2).compareTo(lease) >= 0) {
      throw new IllegalArgumentException("renewInterval is " + renewInterval
          + " but must be positive and less than half of lease " + lease);
    }
    if (margin.isNegative() || margin.plus(renewInterval).compareTo(lease) >= 0) {
      throw new IllegalArgumentException("margin is "
          + margin
          + " but must not be negative and, with renewInterval "
          + renewInterval
          + ", be less than lease "
          + lease);
    }
  }

  /**
   * Checks that the lease ends before a mark may be forgotten.
   *
   * @param retention how long the store keeps a DONE mark
   * @return the retention
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
   * A lease renewed at a third of its time, with a sixth of it as margin.
   *
   * @param lease how long a claim lives unless renewed
   * @return the settings
   */
  public static LeaseSettings of(Duration lease) {
    return new LeaseSettings(lease, lease.dividedBy(3), lease.dividedBy(6));
  }
}
