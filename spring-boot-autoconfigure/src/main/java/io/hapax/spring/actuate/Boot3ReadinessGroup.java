package io.hapax.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.health.HealthEndpointGroup;
import org.springframework.boot.actuate.health.HealthEndpointGroups;
import org.springframework.boot.actuate.health.HealthEndpointGroupsPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Adds the health of the receivers to the group {@code readiness}, if there is one, with the types
 * of Spring Boot 3.5. The other groups, and so liveness, stay as they are.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
public final class Boot3ReadinessGroup implements HealthEndpointGroupsPostProcessor {

  private static final String GROUP = "readiness";

  private final String indicator;

  /**
   * Makes the post-processor.
   *
   * @param indicator the name of the health indicator
   */
  public Boot3ReadinessGroup(String indicator) {
    this.indicator = indicator;
  }

  @Override
  public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
    HealthEndpointGroup readiness = groups.get(GROUP);
    if (readiness == null || readiness.isMember(indicator)) {
      return groups;
    }
    Map<String, HealthEndpointGroup> all = new LinkedHashMap<>();
    groups.getNames().forEach(name -> all.put(name, groups.get(name)));
    all.put(GROUP, WithIndicator.of(HealthEndpointGroup.class, readiness, indicator));
    return HealthEndpointGroups.of(groups.getPrimary(), all);
  }
}
