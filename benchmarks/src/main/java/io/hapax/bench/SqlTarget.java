package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A database. The floor and the limit write to a table with the same definition and as many marks.
 */
final class SqlTarget implements BenchmarkTarget {

  /** The table of consumers that keep their ids by hand. */
  static final String PROCESSED = "processed";

  private static final String MARKS = "hapax_marks";
  private static final String BESIDE = "marks_beside";
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int ATTEMPTS = 10;

  private final Database database;
  private final HikariDataSource pool;
  private final HikariDataSource transactions;
  private final JdbcDedupStore store;
  private final SqlRaw raw;

  SqlTarget(Database database) throws SQLException {
    this.database = database;
    this.pool = database.pool(true);
    this.transactions = database.pool(false);
    this.store = newStore(MARKS);
    newStore(BESIDE).close();
    execute("CREATE TABLE " + SqlRaw.EFFECTS
        + " (message_id VARCHAR(100) NOT NULL, token BIGINT NOT NULL)");
    execute("CREATE TABLE " + PROCESSED + " (message_id VARCHAR(100) PRIMARY KEY)");
    store.claim(Messages.known(1, false, 1), Messages.LEASE);
    SqlRaw.MarkRow open = SqlRaw.MarkRow.read(pool, MARKS);
    empty(MARKS);
    StoreTasks.fill(store, 1);
    this.raw = new SqlRaw(database, BESIDE, open, SqlRaw.MarkRow.read(pool, MARKS));
  }

  private JdbcDedupStore newStore(String table) {
    return JdbcDedupStore.builder(pool)
        .table(table)
        .retention(Messages.RETENTION)
        .createIfAbsent()
        .build();
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Empties a table, and tries again: InnoDB waits only briefly for its own threads in a table. */
  private void empty(String table) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        execute("TRUNCATE TABLE " + table);
        return;
      } catch (SQLException e) {
        if (e.getErrorCode() != LOCK_WAIT_TIMEOUT || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public JdbcDedupStore store() {
    return store;
  }

  /** Returns connections to the server, which are closed with this target. */
  HikariDataSource connections(boolean autoCommit) {
    return autoCommit ? pool : transactions;
  }

  void writeEffects(Connection connection, List<Object[]> rows) throws SQLException {
    database.insert(connection, SqlRaw.EFFECTS, SqlRaw.EFFECT, rows);
  }

  Map<String, Object> springProperties() {
    return database.springProperties();
  }

  @Override
  public String settings() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return database.settings(connection);
    }
  }

  @Override
  public void fill(long known) throws SQLException {
    for (String table : List.of(MARKS, BESIDE, SqlRaw.EFFECTS, PROCESSED)) {
      empty(table);
    }
    for (List<ClaimRequest> batch : Messages.allKnown(known)) {
      raw.fill(pool, batch);
    }
    execute("INSERT INTO " + MARKS + " SELECT * FROM " + BESIDE);
    for (String table : List.of(MARKS, BESIDE)) {
      for (String sql : database.settle(table)) {
        execute(sql);
      }
    }
  }

  @Override
  public Map<Operation, Supplier<Task>> tasks(Role role) {
    if (role != Role.HAPAX) {
      return new EnumMap<>(Map.of(
          Operation.FRESH, () -> requests -> raw.claimAndSettle(pool, requests),
          Operation.RUN_ONCE, () -> requests -> raw.marksAndEffects(transactions, requests)));
    }
    Map<Operation, Supplier<Task>> tasks = StoreTasks.leased(store);
    tasks.put(Operation.RUN_ONCE, () -> this::runOnce);
    tasks.put(Operation.KNOWN_ONCE, () -> this::runKnownOnce);
    tasks.put(Operation.LOOK_UP, () -> this::lookUp);
    return tasks;
  }

  private void runOnce(List<ClaimRequest> requests) throws SQLException {
    store.runOnce(requests, (connection, answers) -> {
      if (!answers.stream().allMatch(Acquired.class::isInstance)) {
        throw new IllegalStateException("fresh messages were answered " + answers);
      }
      raw.effects(connection, requests);
    });
  }

  private void runKnownOnce(List<ClaimRequest> requests) {
    store.runOnce(requests, (connection, answers) -> {
      throw new IllegalStateException("known messages were answered " + answers);
    });
  }

  private void lookUp(List<ClaimRequest> requests) {
    if (!store.findDone(requests).stream().allMatch(Optional::isPresent)) {
      throw new IllegalStateException("a known message was not found");
    }
  }

  @Override
  public void close() {
    store.close();
    pool.close();
    transactions.close();
    database.close();
  }
}
