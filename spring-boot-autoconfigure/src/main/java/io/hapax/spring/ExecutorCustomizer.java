package io.hapax.spring;

import io.hapax.ExecutorBuilder;

/**
 * Changes an executor of the auto-configuration before it is built, for example its lease or its
 * patience. A bean of the application. Executors that the application builds do not get it.
 */
@FunctionalInterface
public interface ExecutorCustomizer {

  /**
   * Changes an executor that is about to be built.
   *
   * @param name the executor's name: that of {@code hapax.executor.name} with {@code -jobs} behind
   *     it for jobs, and with {@code -http} for {@link IdempotentRequest}
   * @param builder the builder
   */
  void customize(String name, ExecutorBuilder builder);
}
