package io.hapax.spring.autoconfigure;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.listener.AnnotatedBeans;
import io.hapax.spring.listener.ListenerSettingsResolver;
import io.hapax.spring.listener.Receivers;
import io.hapax.store.DedupStore;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

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

  /** Static, because it has to see all beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static AnnotatedBeans hapaxAnnotatedBeans() {
    return new AnnotatedBeans();
  }

  @Bean
  @ConditionalOnMissingBean
  Receivers hapaxReceivers(ConfigurableListableBeanFactory beans) {
    return new Receivers(beans);
  }

  /** Stores are made before the receivers, and so are closed after them. */
  @Bean
  static BeanFactoryPostProcessor hapaxStoresOutliveReceivers() {
    return beans -> {
      String[] stores = beans.getBeanNamesForType(DedupStore.class, true, false);
      for (String name : beans.getBeanNamesForType(Receivers.class, true, false)) {
        BeanDefinition receivers = beans.getBeanDefinition(name);
        receivers.setDependsOn(
            StringUtils.concatenateStringArrays(receivers.getDependsOn(), stores));
      }
    };
  }

  @Bean
  ReceiverPhase hapaxStartPhase(ApplicationContext context, Receivers receivers) {
    return ReceiverPhase.starting(context, receivers);
  }

  @Bean
  ReceiverPhase hapaxReceivePhase(ApplicationContext context, Receivers receivers) {
    return ReceiverPhase.closing(context, ReceiverPhase.RECEIVING, receivers::close);
  }

  @Bean
  @ConditionalOnMissingBean
  UnusedConsumers hapaxUnusedConsumers(
      HapaxProperties properties, Receivers receivers, Environment environment) {
    return new UnusedConsumers(properties, receivers, environment);
  }
}
