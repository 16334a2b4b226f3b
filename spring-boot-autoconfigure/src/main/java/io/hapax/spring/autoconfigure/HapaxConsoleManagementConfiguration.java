package io.hapax.spring.autoconfigure;

import io.hapax.console.Console;
import io.hapax.spring.console.ConsoleMapping;
import io.hapax.spring.console.ConsolePages;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/** Maps the pages of the console in the web server of the Actuator. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "hapax.console.enabled", havingValue = "true")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Console.class, AbstractHandlerMapping.class})
public class HapaxConsoleManagementConfiguration {

  /** Without pages, because the endpoint is not exposed, there is no bean. */
  @Bean
  @Nullable
  ConsoleMapping hapaxConsoleMapping(
      PathMappedEndpoints paths, ObjectProvider<ConsolePages> pages) {
    ConsolePages available = pages.getIfAvailable();
    return available == null ? null : new ConsoleMapping(paths, available);
  }
}
