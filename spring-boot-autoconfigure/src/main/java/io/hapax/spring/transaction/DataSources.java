package io.hapax.spring.transaction;

import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Recognises a DataSource behind the proxies of Spring. */
public final class DataSources {

  private DataSources() {}

  /** Outside of a listener the store must never join a transaction that a thread is in. */
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

  /** Returns the wrapper if it hides what routes. Libraries have routing classes of their own. */
  public static Optional<DataSource> routing(DataSource dataSource) {
    @Nullable DataSource current = dataSource;
    while (current != null && !routes(current.getClass())) {
      current =
          current instanceof DelegatingDataSource wrapper ? wrapper.getTargetDataSource() : null;
    }
    return Optional.ofNullable(current)
        .or(() -> Optional.of(dataSource).filter(DataSources::wrapsRouting));
  }

  private static boolean routes(Class<?> type) {
    return Stream.<Class<?>>iterate(type, it -> it != null, Class::getSuperclass)
        .anyMatch(it -> it.getSimpleName().endsWith("RoutingDataSource"));
  }

  private static boolean wrapsRouting(DataSource wrapper) {
    try {
      return wrapper.isWrapperFor(AbstractRoutingDataSource.class);
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Returns one that always leads to the same database. Behind a routing one that is the default
   * target, as the thread may have chosen another. Empty if there is none.
   */
  public static Optional<DataSource> ofMarks(DataSource dataSource) throws SQLException {
    Optional<DataSource> routing = routing(dataSource);
    if (routing.isEmpty() || !routing.get().isWrapperFor(AbstractRoutingDataSource.class)) {
      return Optional.of(withoutProxies(dataSource));
    }
    return Optional.ofNullable(
            routing.get().unwrap(AbstractRoutingDataSource.class).getResolvedDefaultDataSource())
        .map(DataSources::withoutProxies);
  }

  static Optional<DataSource> bound(DataSource database) {
    return TransactionSynchronizationManager.getResourceMap().keySet().stream()
        .filter(DataSource.class::isInstance)
        .map(DataSource.class::cast)
        .filter(each -> withoutProxies(each).equals(database))
        .findFirst();
  }
}
