package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.Boot3HealthIndicator;
import io.hapax.spring.actuate.Boot3ReadinessGroup;
import io.hapax.spring.actuate.Boot4HealthIndicator;
import io.hapax.spring.actuate.Boot4ReadinessGroup;
import io.hapax.spring.actuate.ManagementProperties;
import io.hapax.spring.actuate.ReceiversHealth;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The health of the receivers as the indicator {@code hapax}, which belongs to readiness and never
 * to liveness. Boot 4 moved the types, so each has its own configuration.
 */
@AutoConfiguration(
    after = HapaxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration",
      "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration"
    })
@ConditionalOnBean(Receivers.class)
@EnableConfigurationProperties(ManagementProperties.class)
public class HapaxHealthAutoConfiguration {

  private static final String BOOT_3 = "org.springframework.boot.actuate.health.HealthIndicator";
  private static final String BOOT_4 =
      "org.springframework.boot.health.contributor.HealthIndicator";
  private static final String INDICATOR = "hapax";
  private static final String BEAN = INDICATOR + "HealthIndicator";

  @Bean
  @ConditionalOnMissingBean
  ReceiversHealth hapaxReceiversHealth(Receivers receivers, ObjectProvider<ProblemSource> sources) {
    return new ReceiversHealth(receivers, sources);
  }

  /** With the types of Boot 3.5. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = BOOT_3)
  @ConditionalOnProperty(
      name = "management.health.hapax.enabled",
      havingValue = "true",
      matchIfMissing = true)
  static class Boot3 {

    @Bean
    @ConditionalOnMissingBean(name = BEAN)
    Boot3HealthIndicator hapaxHealthIndicator(ReceiversHealth health) {
      return new Boot3HealthIndicator(health);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(
        name = "hapax.management.readiness",
        havingValue = "true",
        matchIfMissing = true)
    Boot3ReadinessGroup hapaxReadinessGroup() {
      return new Boot3ReadinessGroup(INDICATOR);
    }
  }

  /** With the types of Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = BOOT_4)
  @ConditionalOnMissingClass(BOOT_3)
  @ConditionalOnProperty(
      name = "management.health.hapax.enabled",
      havingValue = "true",
      matchIfMissing = true)
  static class Boot4 {

    @Bean
    @ConditionalOnMissingBean(name = BEAN)
    Boot4HealthIndicator hapaxHealthIndicator(ReceiversHealth health) {
      return new Boot4HealthIndicator(health);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(
        name = "hapax.management.readiness",
        havingValue = "true",
        matchIfMissing = true)
    Boot4ReadinessGroup hapaxReadinessGroup() {
      return new Boot4ReadinessGroup(INDICATOR);
    }
  }
}
