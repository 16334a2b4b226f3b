package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.ReceiversHealth;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthEndpointGroup;
import org.springframework.boot.actuate.health.HealthEndpointGroups;
import org.springframework.boot.actuate.health.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the receivers with the types of Spring Boot 3.5. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = HapaxHealthAutoConfiguration.BOOT_3)
class Boot3Health {

  @Bean
  @ConditionalOnMissingBean(name = HapaxHealthAutoConfiguration.BEAN)
  HealthIndicator hapaxHealthIndicator(ReceiversHealth health) {
    return () -> (health.well() ? Health.up() : Health.outOfService())
        .withDetail("consumers", health.problems())
        .build();
  }

  @Bean
  @ConditionalOnProperty(
      name = "hapax.management.readiness",
      havingValue = "true",
      matchIfMissing = true)
  HealthEndpointGroupsPostProcessor hapaxReadinessGroup() {
    return Boot3Health::withReadiness;
  }

  private static HealthEndpointGroups withReadiness(HealthEndpointGroups groups) {
    return HealthEndpointGroups.of(
        groups.getPrimary(),
        WithIndicator.groups(HealthEndpointGroup.class, groups.getNames(), groups::get));
  }
}
