package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.HapaxEndpoint;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code hapax}, if it is exposed. */
@AutoConfiguration(after = HapaxAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Receivers.class)
public class HapaxEndpointAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  @ConditionalOnMissingBean
  HapaxEndpoint hapaxEndpoint(Receivers receivers, ObjectProvider<ProblemSource> problems) {
    return new HapaxEndpoint(receivers, ProblemSource.joined(problems));
  }
}
