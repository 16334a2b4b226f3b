package io.hapax.spring.actuate;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Shows the health of all receivers with the types of Spring Boot 3.5. */
public final class Boot3HealthIndicator implements HealthIndicator {

  private final ReceiversHealth health;

  /**
   * Makes the indicator.
   *
   * @param health the health of the receivers
   */
  public Boot3HealthIndicator(ReceiversHealth health) {
    this.health = health;
  }

  @Override
  public Health health() {
    Health.Builder builder = health.well() ? Health.up() : Health.outOfService();
    return builder.withDetail("consumers", health.problems()).build();
  }
}
