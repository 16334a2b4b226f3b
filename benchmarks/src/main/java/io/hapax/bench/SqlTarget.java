package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A database. The floor and the limit write to a table with the same definition and as many marks.
 */
final class SqlTarget implements BenchmarkTarget {

  private static final String MARKS = "hapax_marks";
  private static final String BESIDE = "marks_beside";
  private static final String TEMPLATE = "mark_template";
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int ATTEMPTS = 10;

  private final Database database;
  private final HikariDataSource pool;
  private final HikariDataSource transactions;
  private final JdbcDedupStore store;
  private final SqlRaw.MarkRow done;
  private final SqlRaw raw;
  private final Messages leased = new Messages(false);
  private final Messages transactional = new Messages(true);

  private SqlTarget(Database database) throws SQLException {
    this.database = database;
    this.pool = database.pool(true);
    this.transactions = database.pool(false);
    this.store = newStore(MARKS);
    newStore(BESIDE).close();
    execute("CREATE TABLE " + SqlRaw.EFFECTS
        + " (message_id VARCHAR(100) NOT NULL, token BIGINT NOT NULL)");
    store.claim(List.of(leased.known(0)), Messages.LEASE);
    SqlRaw.MarkRow open = row();
    empty(MARKS);
    StoreTasks.fill(store, leased, 0, 1, 1);
    execute("CREATE TABLE " + TEMPLATE + " AS SELECT * FROM " + MARKS);
    this.done = row();
    this.raw = new SqlRaw(database, BESIDE, open, done);
  }

  /** Opens a store on a database that was started for it. */
  static SqlTarget on(Database database) throws SQLException {
    try {
      return new SqlTarget(database);
    } catch (SQLException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private SqlRaw.MarkRow row() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return SqlRaw.MarkRow.read(connection, MARKS);
    }
  }

  private JdbcDedupStore newStore(String table) {
    return JdbcDedupStore.builder(pool)
        .table(table)
        .retention(Messages.RETENTION)
        .createIfAbsent()
        .build();
  }

  /** Runs a statement in a transaction of its own. */
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

  /** Returns the properties of a data source of Spring Boot. */
  Map<String, Object> springProperties() {
    return database.springProperties();
  }

  @Override
  public String settings() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return connection.getMetaData().getDatabaseProductName()
          + ' '
          + connection.getMetaData().getDatabaseProductVersion()
          + Database.pairs(connection, database.settings()).entrySet().stream()
              .map(setting -> ", " + setting.getKey() + ' ' + setting.getValue())
              .collect(Collectors.joining());
    }
  }

  @Override
  public void fill(long known) throws SQLException {
    empty(SqlRaw.EFFECTS);
    int rows = database.rowsOfFill();
    for (String table : List.of(MARKS, BESIDE)) {
      empty(table);
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        for (long from = 0; from < known; from += rows) {
          long to = Math.min(known, from + rows);
          database.fill(statement, table, done.columns(), TEMPLATE, from, to);
        }
      }
      for (String sql : database.settle(table)) {
        execute(sql);
      }
    }
  }

  @Override
  public List<Contender> contenders(int batch, long known) {
    List<Contender> all = new ArrayList<>(StoreTasks.leased(store, leased, batch, known));
    Supplier<List<ClaimRequest>> fresh = () -> transactional.fresh(batch);
    Supplier<List<ClaimRequest>> old = () -> transactional.known(batch, known);
    all.add(claimAndSettle(Role.LIMIT, batch));
    all.add(Contender.of(Operation.RUN_ONCE, Role.HAPAX, batch, fresh, this::runOnce));
    all.add(marksAndEffects(Role.LIMIT, batch));
    all.add(Contender.of(Operation.KNOWN_ONCE, Role.HAPAX, batch, old, this::runKnownOnce));
    all.add(Contender.of(Operation.LOOK_UP, Role.HAPAX, batch, old, this::lookUp));
    return all;
  }

  @Override
  public List<Contender> floors() {
    return List.of(claimAndSettle(Role.FLOOR, 1), marksAndEffects(Role.FLOOR, 1));
  }

  private Contender claimAndSettle(Role role, int batch) {
    return Contender.of(
        Operation.FRESH,
        role,
        batch,
        () -> leased.fresh(batch),
        requests -> raw.claimAndSettle(pool, requests));
  }

  private Contender marksAndEffects(Role role, int batch) {
    return Contender.of(
        Operation.RUN_ONCE,
        role,
        batch,
        () -> transactional.fresh(batch),
        requests -> raw.marksAndEffects(transactions, requests));
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
