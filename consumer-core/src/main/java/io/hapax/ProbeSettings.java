package io.hapax;

import java.time.Duration;

/**
 * How long a probe may take, and when its "not applied" is believed.
 *
 * @param timeout the longest that one call may take; what is not answered by then is unknown, and
 *     the call is interrupted; positive
 * @param quiet how long after the claim of the new owner "not applied" is only provisional: the
 *     vanished owner may have sent its request at the last moment of its lease, which had ended by
 *     then, and the downstream may still be at it. Longer than a request to the downstream can
 *     live; not negative
 */
public record ProbeSettings(Duration timeout, Duration quiet) {

  /** A call may take 5 s; "not applied" is believed after 30 s. */
  public static final ProbeSettings DEFAULT =
      new ProbeSettings(Duration.ofSeconds(5), Duration.ofSeconds(30));

  /**
   * Checks the rules above.
   *
   * @param timeout positive
   * @param quiet not negative
   */
  public ProbeSettings {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout is " + timeout + " but must be positive");
    }
    if (quiet.isNegative()) {
      throw new IllegalArgumentException("quiet is " + quiet + " but must not be negative");
    }
  }
}
