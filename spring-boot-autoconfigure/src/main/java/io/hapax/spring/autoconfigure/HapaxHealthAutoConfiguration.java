package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.ManagementProperties;
import io.hapax.spring.actuate.ReceiversHealth;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The indicator {@code hapax}, for readiness and never for liveness. Boot 4 moved its types. */
@AutoConfiguration(
    after = HapaxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration",
      "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration"
    })
@ConditionalOnBean(Receivers.class)
@ConditionalOnProperty(
    name = "management.health.hapax.enabled",
    havingValue = "true",
    matchIfMissing = true)
@Import({Boot3Health.class, Boot4Health.class})
@EnableConfigurationProperties(ManagementProperties.class)
public class HapaxHealthAutoConfiguration {

  static final String BOOT_3 = "org.springframework.boot.actuate.health.HealthIndicator";
  static final String BOOT_4 = "org.springframework.boot.health.contributor.HealthIndicator";
  static final String INDICATOR = "hapax";
  static final String BEAN = INDICATOR + "HealthIndicator";

  @Bean
  @ConditionalOnMissingBean
  ReceiversHealth hapaxReceiversHealth(Receivers receivers, ObjectProvider<ProblemSource> sources) {
    return new ReceiversHealth(receivers, ProblemSource.joined(sources));
  }
}
