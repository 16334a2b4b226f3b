package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.testkit.TransactionalStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Two stores, each with a pool of its own, on a new table of marks, and a table of effects beside
 * it.
 */
class JdbcFixture implements TransactionalStoreFixture<Connection> {

  static final Duration LOCK_WAIT = Duration.ofMillis(300);
  private static final Duration RETENTION = Duration.ofDays(8);

  private final Duration lockWait;
  private final HikariDataSource first;
  private final HikariDataSource second;
  private final JdbcDedupStore store;
  private final JdbcDedupStore other;
  private final String table = "marks_" + UUID.randomUUID().toString().substring(0, 8);
  private final List<JdbcDedupStore> opened = new ArrayList<>();
  private Duration offset = Duration.ZERO;

  JdbcFixture(Supplier<HikariDataSource> pools) {
    this(pools, LOCK_WAIT);
  }

  JdbcFixture(Supplier<HikariDataSource> pools, Duration lockWait) {
    this.lockWait = lockWait;
    this.first = pools.get();
    this.second = pools.get();
    this.store = storeOn(first);
    this.other = storeOn(second);
    execute("CREATE TABLE IF NOT EXISTS effects (id VARCHAR(100))");
  }

  final JdbcDedupStore storeOn(DataSource pool) {
    JdbcDedupStore built = configured(
            JdbcDedupStore.builder(pool)
                .table(table)
                .createIfAbsent()
                .retention(RETENTION)
                .lockWait(lockWait)
                .allowVolatile(true)
                .noBackgroundPurge(),
            pool)
        .build();
    built.setClockOffset(offset);
    opened.add(built);
    return built;
  }

  /** Adds what a kind of fixture sets besides; called by the constructor. */
  JdbcDedupStoreBuilder configured(JdbcDedupStoreBuilder builder, DataSource pool) {
    return builder;
  }

  String table() {
    return table;
  }

  HikariDataSource pool() {
    return first;
  }

  void execute(String sql) {
    try (Connection connection = first.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public JdbcDedupStore store() {
    return store;
  }

  @Override
  public JdbcDedupStore other() {
    return other;
  }

  @Override
  public void advance(Duration by) {
    offset = offset.plus(by);
    opened.forEach(each -> each.setClockOffset(offset));
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void writeEffect(Connection transaction, String id) throws SQLException {
    try (PreparedStatement insert =
        transaction.prepareStatement("INSERT INTO effects (id) VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  @Override
  public void meetError(Connection transaction) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute("SELECT no_such_column FROM effects");
    }
  }

  @Override
  public void rollBackByHand(Connection transaction) throws SQLException {
    transaction.rollback();
  }

  @Override
  public int effects(String id) {
    try (Connection connection = first.getConnection();
        PreparedStatement count =
            connection.prepareStatement("SELECT count(*) FROM effects WHERE id = ?")) {
      count.setString(1, id);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    opened.forEach(JdbcDedupStore::close);
    first.close();
    second.close();
  }
}
