package io.hapax.spring.autoconfigure;

import io.hapax.spring.web.IdempotentRequestFilter;
import io.hapax.spring.web.RequestExecutor;
import io.hapax.spring.web.RequestScope;
import io.hapax.spring.web.WebProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.multipart.MultipartResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Requests to handlers of Spring MVC with {@link io.hapax.spring.IdempotentRequest}. */
@AutoConfiguration(after = HapaxExecutorAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
@EnableConfigurationProperties(WebProperties.class)
public class HapaxWebAutoConfiguration {

  /** Without an order, and so behind all filters of the application and of security. */
  @Bean
  @ConditionalOnMissingBean
  IdempotentRequestFilter hapaxIdempotentRequestFilter(
      WebProperties properties,
      ObjectProvider<RequestScope> scopes,
      ObjectProvider<RequestMappingHandlerMapping> mappings,
      ObjectProvider<RequestExecutor> executors,
      @Qualifier(DispatcherServlet.MULTIPART_RESOLVER_BEAN_NAME)
          ObjectProvider<MultipartResolver> multiparts,
      ObjectProvider<HandlerExceptionResolver> resolvers) {
    return new IdempotentRequestFilter(
        properties,
        scopes.getIfAvailable(RequestScope::user),
        mappings,
        executors,
        multiparts,
        resolvers);
  }

  /** Lazy, so that an application without such handlers needs no store. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  RequestExecutor hapaxRequestExecutor(ExecutorSetup setup) {
    return new RequestExecutor(setup.build("-http"));
  }
}
