package io.hapax.spring.transaction;

import io.hapax.jdbc.JdbcDedupStoreBuilder;

/** Changes the store in the database before it is built. A bean of the application. */
@FunctionalInterface
public interface JdbcStoreCustomizer {

  /**
   * Changes a store that is about to be built.
   *
   * @param builder the builder, with the settings of the properties
   */
  void customize(JdbcDedupStoreBuilder builder);
}
