package io.hapax.spring.autoconfigure;

import io.hapax.IdempotentExecutor;
import io.hapax.store.DedupStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** An {@link IdempotentExecutor} for jobs, and what Spring adds to the application's executors. */
@AutoConfiguration(
    afterName = {
      "io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration",
      "io.hapax.spring.autoconfigure.HapaxRedisAutoConfiguration"
    })
@EnableConfigurationProperties(ExecutorSetup.ExecutorProperties.class)
@Import(ExecutorSetup.class)
public class HapaxExecutorAutoConfiguration {

  /** Static, because Spring needs it before all other beans. */
  @Bean
  static ExecutorBeans hapaxExecutorBeans() {
    return new ExecutorBeans();
  }

  @Bean
  ReceiverPhase hapaxExecutePhase(ApplicationContext context, ExecutorBeans executors) {
    return ReceiverPhase.closing(context, ReceiverPhase.EXECUTING, executors::close);
  }

  /** Lazy, so that an application without jobs needs no name and runs no threads for it. */
  @Bean
  @Lazy
  @ConditionalOnSingleCandidate(DedupStore.class)
  @ConditionalOnMissingBean
  IdempotentExecutor hapaxIdempotentExecutor(ExecutorSetup setup) {
    return setup.build("-jobs");
  }
}
