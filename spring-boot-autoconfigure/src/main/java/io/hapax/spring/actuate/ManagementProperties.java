package io.hapax.spring.actuate;

import io.hapax.setting.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the Actuator may do with Hapax.
 *
 * @param writes whether the endpoint hapax may change marks and redrive messages. Protect it before
 *     you allow that
 * @param readiness whether a problem of a receiver makes the application not ready
 * @param timeout how long a request of the endpoint hapax may audit or redrive before it is cut off
 * @param countStaleMarks whether this process counts stale marks for the meters. The default is
 *     true for Redis and false for a database, where each count scans the index of all marks
 */
@ConfigurationProperties("hapax.management")
public record ManagementProperties(
    @DefaultValue("false") boolean writes,
    @DefaultValue("true") boolean readiness,
    @DefaultValue("30s") Duration timeout,
    @Nullable Boolean countStaleMarks) {

  /**
   * Checks the values.
   *
   * @param writes any
   * @param readiness any
   * @param timeout positive
   * @param countStaleMarks any
   */
  public ManagementProperties {
    Durations.positive("hapax.management.timeout", timeout);
  }
}
