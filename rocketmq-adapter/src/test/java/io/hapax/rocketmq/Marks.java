package io.hapax.rocketmq;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.jdbc.JdbcDedupStore;

/** Marks in a PostgreSQL, for several processes. */
final class Marks implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 1_000;

  private final HikariDataSource pool = new HikariDataSource();
  private final JdbcDedupStore store;

  Marks(String url, String user, String password) {
    pool.setJdbcUrl(url);
    pool.setUsername(user);
    pool.setPassword(password);
    pool.setConnectionTimeout(PATIENCE_MILLIS);
    store = JdbcDedupStore.builder(pool).createIfAbsent().build();
  }

  JdbcDedupStore store() {
    return store;
  }

  @Override
  public void close() {
    store.close();
    pool.close();
  }
}
