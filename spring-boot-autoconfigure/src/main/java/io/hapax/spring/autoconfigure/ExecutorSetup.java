package io.hapax.spring.autoconfigure;

import io.hapax.ExecutorBuilder;
import io.hapax.IdempotentExecutor;
import io.hapax.spring.ExecutorCustomizer;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Builds the executors of jobs and of requests. */
final class ExecutorSetup {

  private final ObjectProvider<DedupStore> stores;
  private final ObjectProvider<ExecutorCustomizer> customizers;
  private final ExecutorProperties properties;
  private final Environment environment;
  private final List<IdempotentExecutor> built = new CopyOnWriteArrayList<>();

  ExecutorSetup(
      ObjectProvider<DedupStore> stores,
      ObjectProvider<ExecutorCustomizer> customizers,
      ExecutorProperties properties,
      Environment environment) {
    this.stores = stores;
    this.customizers = customizers;
    this.properties = properties;
    this.environment = environment;
  }

  /** Builds an executor in leased mode over the only store, or the primary one. */
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
    AmbientTransactions.refuse(name, builder);
    customizers.orderedStream().forEach(each -> each.customize(name, builder));
    IdempotentExecutor executor = builder.leased(store);
    built.add(executor);
    return executor;
  }

  /** Closes the executors. A second call has no effect. */
  void close() {
    built.forEach(IdempotentExecutor::close);
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
