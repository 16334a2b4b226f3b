package io.hapax.spring.autoconfigure;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.Receivers;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** What all listeners share, whatever their broker and their store. */
@AutoConfiguration
@EnableConfigurationProperties(HapaxProperties.class)
public class HapaxAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  ListenerSettingsResolver hapaxListenerSettingsResolver(
      HapaxProperties properties, ConfigurableListableBeanFactory beans) {
    return new ListenerSettingsResolver(properties, text -> {
      String resolved = beans.resolveEmbeddedValue(text);
      return resolved == null ? "" : resolved;
    });
  }

  @Bean
  @ConditionalOnMissingBean
  Receivers hapaxReceivers(ConfigurableListableBeanFactory beans) {
    return new Receivers(beans);
  }
}
