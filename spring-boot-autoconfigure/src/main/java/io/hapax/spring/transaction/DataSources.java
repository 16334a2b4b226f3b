package io.hapax.spring.transaction;

import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Recognises a DataSource behind the proxies of Spring. */
public final class DataSources {

  private DataSources() {}

  /**
   * Returns the DataSource that lends a connection of its own for each call. The store's verbs
   * outside of a listener must never join a transaction that a thread is in.
   *
   * @param dataSource possibly a {@link TransactionAwareDataSourceProxy} or a
   *     {@link LazyConnectionDataSourceProxy}
   * @return what is behind it
   */
  public static DataSource withoutProxies(DataSource dataSource) {
    DataSource current = dataSource;
    while (current instanceof TransactionAwareDataSourceProxy
        || current instanceof LazyConnectionDataSourceProxy) {
      @Nullable DataSource target = ((DelegatingDataSource) current).getTargetDataSource();
      if (target == null) {
        return current;
      }
      current = target;
    }
    return current;
  }

  /** Returns the key by which this thread's transaction has a connection to a database. */
  static Optional<DataSource> bound(DataSource database) {
    return TransactionSynchronizationManager.getResourceMap().keySet().stream()
        .filter(DataSource.class::isInstance)
        .map(DataSource.class::cast)
        .filter(each -> withoutProxies(each).equals(database))
        .findFirst();
  }
}
