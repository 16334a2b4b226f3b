package io.hapax.spring.autoconfigure;

import io.hapax.ExecutorBuilder;
import io.hapax.IdempotentExecutor;
import io.hapax.ReceiverListener;
import io.hapax.health.Problem;
import io.hapax.spring.ExecutorCustomizer;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Builds the executors of jobs and of requests, and reports their problems. */
final class ExecutorSetup implements ProblemSource {

  private final ObjectProvider<DedupStore> stores;
  private final ObjectProvider<ExecutorCustomizer> customizers;
  private final ObjectProvider<ReceiverListener> listeners;
  private final ExecutorProperties properties;
  private final Environment environment;
  private final Map<String, IdempotentExecutor> built = new ConcurrentHashMap<>();

  ExecutorSetup(
      ObjectProvider<DedupStore> stores,
      ObjectProvider<ExecutorCustomizer> customizers,
      ObjectProvider<ReceiverListener> listeners,
      ExecutorProperties properties,
      Environment environment) {
    this.stores = stores;
    this.customizers = customizers;
    this.listeners = listeners;
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
    listeners.orderedStream().forEach(builder::listener);
    customizers.orderedStream().forEach(each -> each.customize(name, builder));
    IdempotentExecutor executor = builder.leased(store);
    built.put(name, executor);
    return executor;
  }

  /** Closes the executors. A second call has no effect. */
  void close() {
    built.values().forEach(IdempotentExecutor::close);
  }

  @Override
  public Map<String, List<Problem>> problemsByName() {
    Map<String, List<Problem>> problems = new TreeMap<>();
    built.forEach((name, executor) -> problems.put(name, executor.problems()));
    return problems;
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
