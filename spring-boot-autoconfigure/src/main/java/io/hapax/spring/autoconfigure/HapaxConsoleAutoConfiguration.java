package io.hapax.spring.autoconfigure;

import io.hapax.console.Console;
import io.hapax.console.meters.MeterFigures;
import io.hapax.spring.HapaxProperties;
import io.hapax.spring.console.ConsoleEndpoint;
import io.hapax.spring.console.ConsolePages;
import io.hapax.spring.console.ConsoleProperties;
import io.hapax.spring.console.Consoles;
import io.hapax.spring.console.Consoles.FiguresSource;
import io.hapax.spring.listener.ListenerTopics;
import io.hapax.spring.listener.Receivers;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/** The console of the consumers; {@link HapaxConsoleManagementConfiguration} maps its pages. */
@AutoConfiguration(after = HapaxAutoConfiguration.class)
@ConditionalOnProperty(name = "hapax.console.enabled", havingValue = "true")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({
  Console.class,
  Endpoint.class,
  ConditionalOnAvailableEndpoint.class,
  AbstractHandlerMapping.class
})
@ConditionalOnBean(Receivers.class)
@EnableConfigurationProperties(ConsoleProperties.class)
public class HapaxConsoleAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  @ConditionalOnMissingBean
  ConsoleEndpoint hapaxConsoleEndpoint(Receivers receivers) {
    return new ConsoleEndpoint(receivers);
  }

  @Bean
  @ConditionalOnBean(ConsoleEndpoint.class)
  @ConditionalOnMissingBean
  Consoles hapaxConsoles(
      Receivers receivers,
      ObjectProvider<FiguresSource> figures,
      ObjectProvider<ListenerTopics.Source> sources,
      ConsoleProperties properties) {
    FiguresSource none = consumer -> Optional.empty();
    return new Consoles(receivers, figures.getIfAvailable(() -> none), sources, properties);
  }

  @Bean
  @ConditionalOnBean(ConsoleEndpoint.class)
  @ConditionalOnMissingBean
  ConsolePages hapaxConsolePages(
      Consoles consoles,
      ConsoleEndpoint endpoint,
      ConsoleProperties properties,
      EndpointAccessResolver access) {
    return new ConsolePages(consoles, endpoint, properties, access);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean
    FiguresSource hapaxConsoleFigures(
        ObjectProvider<MeterRegistry> registries, Receivers receivers, HapaxProperties properties) {
      return consumer -> Optional.ofNullable(registries.getIfUnique())
          .map(registry -> new MeterFigures(
              registry,
              consumer,
              () -> receivers.of(consumer).stream()
                  .flatMap(each -> each.receiver().problems().stream())
                  .toList(),
              properties.retention()));
    }
  }
}
