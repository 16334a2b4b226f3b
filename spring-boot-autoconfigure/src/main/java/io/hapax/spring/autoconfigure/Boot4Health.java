package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.ReceiversHealth;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the receivers with the types of Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = HapaxHealthAutoConfiguration.BOOT_4)
@ConditionalOnMissingClass(HapaxHealthAutoConfiguration.BOOT_3)
class Boot4Health {

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
    return Boot4Health::withReadiness;
  }

  private static HealthEndpointGroups withReadiness(HealthEndpointGroups groups) {
    return HealthEndpointGroups.of(
        groups.getPrimary(),
        WithIndicator.groups(HealthEndpointGroup.class, groups.getNames(), groups::get));
  }
}
