package io.hapax.spring.actuate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Shows the health of all receivers with the types of Spring Boot 4. */
public final class Boot4HealthIndicator implements HealthIndicator {

  private final ReceiversHealth health;

  /**
   * Makes the indicator.
   *
   * @param health the health of the receivers
   */
  public Boot4HealthIndicator(ReceiversHealth health) {
    this.health = health;
  }

  @Override
  public Health health() {
    Health.Builder builder = health.well() ? Health.up() : Health.outOfService();
    return builder.withDetail("consumers", health.problems()).build();
  }
}
