package io.hapax.spring.autoconfigure;

import io.hapax.spring.actuate.ManagementProperties;
import io.hapax.spring.actuate.ObservedListeners;
import io.hapax.spring.actuate.ReceiverMeters;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Stores;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Binds meters and observations. Registries are looked up when the first receiver is built. */
@AutoConfiguration
@EnableConfigurationProperties(ManagementProperties.class)
public class HapaxMetricsAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean
    ReceiverMeters hapaxReceiverMeters(
        ObjectProvider<MeterRegistry> registries,
        ObjectProvider<ProblemSource> problems,
        ManagementProperties properties,
        ListableBeanFactory beans) {
      Stores stores = new Stores(beans);
      return new ReceiverMeters(
          registries::getIfUnique,
          store -> name(store, beans),
          settings -> counts(properties, stores.of(settings)),
          ProblemSource.joined(problems));
    }

    /** In a database each count scans the index of all marks. */
    private static boolean counts(ManagementProperties properties, DedupStore store) {
      Boolean set = properties.countStaleMarks();
      return set == null ? !(store instanceof TransactionalDedupStore) : set;
    }

    private static String name(DedupStore store, ListableBeanFactory beans) {
      return beans.getBeansOfType(DedupStore.class).entrySet().stream()
          .filter(each -> each.getValue() == store)
          .map(each -> each.getKey())
          .findFirst()
          .orElse(store.getClass().getSimpleName());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  static class Observations {

    @Bean
    @ConditionalOnMissingBean
    ObservedListeners hapaxObservedListeners(ObjectProvider<ObservationRegistry> registries) {
      return new ObservedListeners(registries::getIfUnique);
    }
  }
}
