package io.hapax.spring.autoconfigure;

import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.jdbc.JdbcDedupStoreBuilder;
import io.hapax.jdbc.TransactionFrame;
import io.hapax.spring.HapaxProperties;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.transaction.DataSources;
import io.hapax.spring.transaction.JdbcStoreCustomizer;
import io.hapax.store.StoreException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Builds the store in the database from the properties, and explains why that is not possible. */
final class JdbcStoreSetup {

  private static final Logger LOG = LoggerFactory.getLogger(HapaxJdbcAutoConfiguration.class);

  private JdbcStoreSetup() {}

  static DataSource only(ObjectProvider<DataSource> dataSources) {
    @Nullable DataSource only = dataSources.getIfUnique();
    if (only == null) {
      long count = dataSources.stream().count();
      throw new RefusedStoreException(
          "hapax.store is jdbc, but the application has "
              + (count == 0 ? "no DataSource" : count + " DataSources and none is primary"),
          count == 0
              ? "Configure a DataSource, or set hapax.store to redis."
              : "Mark one of them @Primary, or declare a bean of type JdbcDedupStore.");
    }
    return only;
  }

  private static DataSource ofMarks(DataSource dataSource) {
    try {
      return DataSources.ofMarks(dataSource)
          .orElseThrow(() -> new RefusedStoreException(
              "The DataSource routes, and has no default target: marks must be in one database",
              "Set its default target to the database of the marks, or declare a bean of type"
                  + " JdbcDedupStore with a DataSource of that database."));
    } catch (SQLException e) {
      throw new IllegalStateException("a DataSource does not unwrap what it says it wraps", e);
    }
  }

  static JdbcDedupStore build(
      HapaxProperties properties,
      DataSource dataSource,
      Optional<TransactionFrame> frame,
      Stream<JdbcStoreCustomizer> customizers) {
    JdbcDedupStoreBuilder builder = JdbcDedupStore.builder(ofMarks(dataSource))
        .table(properties.jdbc().table())
        .retention(properties.retention())
        .allowVolatile(properties.jdbc().allowVolatile());
    if (properties.jdbc().createIfAbsent()) {
      builder.createIfAbsent();
    }
    frame.ifPresent(builder::transactionFrame);
    customizers.forEach(each -> each.customize(builder));
    try {
      return build(builder, properties.mode() != Mode.LEASED && frame.isPresent());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw refused(
          e,
          "Change the setting of the database that the message names. A database that may lose a"
              + " commit suffices if you set hapax.mode to leased; hapax.jdbc.allow-volatile"
              + " accepts it in each mode, for tests.");
    } catch (StoreException e) {
      throw refused(
          e,
          "If the table is missing, create it with a migration that runs before (docs/sql.md), or"
              + " set hapax.jdbc.create-if-absent to true.");
    }
  }

  private static RefusedStoreException refused(RuntimeException cause, String wayOut) {
    return new RefusedStoreException(
        "The store of marks cannot use the application's database: " + cause.getMessage(),
        wayOut,
        cause);
  }

  /** A database that may lose a commit suffices for a store without transactions. */
  private static JdbcDedupStore build(JdbcDedupStoreBuilder builder, boolean transactional) {
    try {
      return builder.build();
    } catch (IllegalStateException e) {
      if (transactional) {
        throw e;
      }
      JdbcDedupStore store = builder.leasedOnly().build();
      LOG.warn("Listeners run in leased mode only: {}", e.getMessage());
      return store;
    }
  }
}
