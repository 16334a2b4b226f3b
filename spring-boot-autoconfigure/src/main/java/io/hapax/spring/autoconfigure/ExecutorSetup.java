package io.hapax.spring.autoconfigure;

import io.hapax.ExecutorBuilder;
import io.hapax.IdempotentExecutor;
import io.hapax.ReceiverListener;
import io.hapax.spring.ExecutorCustomizer;
import io.hapax.store.DedupStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Builds the executors of jobs and of requests. */
record ExecutorSetup(
    ObjectProvider<DedupStore> stores,
    ObjectProvider<ExecutorCustomizer> customizers,
    ObjectProvider<ReceiverListener> listeners,
    ExecutorProperties properties,
    Environment environment) {

  /**
   * The properties of executors.
   *
   * @param name the start of the name to which the marks belong: those of jobs with {@code -jobs}
   *     behind it, those of requests with {@code -http}. The same for all instances of the
   *     application, and no other application may have it. The default is spring.application.name
   */
  @ConfigurationProperties("hapax.executor")
  record ExecutorProperties(@Nullable String name) {}

  IdempotentExecutor build(String suffix) {
    @Nullable DedupStore store = stores.getIfUnique();
    if (store == null) {
      throw new RefusedStoreException(
          "@IdempotentRequest and IdempotentExecutor need one store of marks, but the application"
              + " has " + stores.stream().count() + " and none is primary",
          "Set hapax.store to jdbc or redis, or declare a bean of type DedupStore. Mark one of"
              + " several @Primary.");
    }
    String name = name() + suffix;
    ExecutorBuilder builder = IdempotentExecutor.builder(name);
    listeners.orderedStream().forEach(builder::listener);
    customizers.orderedStream().forEach(each -> each.customize(name, builder));
    return builder.leased(store);
  }

  private String name() {
    String name = properties.name() == null
        ? environment.getProperty("spring.application.name", "")
        : properties.name();
    if (!StringUtils.hasText(name)) {
      throw new RefusedStoreException(
          "Neither hapax.executor.name nor spring.application.name is set but one must be, because"
              + " marks belong to that name",
          "Set spring.application.name to a name that no other application has.");
    }
    return name;
  }
}
