package io.hapax;

import io.hapax.setting.Durations;
import java.time.Duration;

/**
 * The timeout of a probe, and when the answer "not applied" is final.
 *
 * @param timeout the positive timeout of a call; then it is interrupted, and its answer is unknown
 * @param quiet how long after the new claim the answer "not applied" is not final. The vanished
 *     owner may have sent its request at the end of its lease, so the downstream may still be
 *     working on it. Must be longer than a request to the downstream can take; not negative
 */
public record ProbeSettings(Duration timeout, Duration quiet) {

  /** A timeout of 5 s; "not applied" is final after 30 s. */
  public static final ProbeSettings DEFAULT =
      new ProbeSettings(Duration.ofSeconds(5), Duration.ofSeconds(30));

  /**
   * Checks the rules above.
   *
   * @param timeout positive
   * @param quiet not negative
   */
  public ProbeSettings {
    Durations.positive("timeout", timeout);
    Durations.notNegative("quiet", quiet);
  }
}
