package io.hapax.jdbc;

import io.hapax.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Checks a database before it is used, and creates the table. */
record Schema(DataSource dataSource, JdbcSettings settings) {

  private static final int CREATE_TRIES = 20;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  @FunctionalInterface
  private interface Look<R> {
    R at(Connection connection) throws SQLException;
  }

  private <R> R look(String what, Look<R> look) {
    try (Connection connection = connect(what)) {
      Dialect.Restore restore = Transactions.autocommit(connection, true);
      try {
        return look.at(connection);
      } finally {
        restore.restore();
      }
    } catch (SQLException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  private Connection connect(String what) {
    try {
      return dataSource.getConnection();
    } catch (SQLException | RuntimeException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  /** Checks the database's settings and returns its dialect. */
  Dialect check() {
    return look("checking the database", connection -> {
      Dialect dialect = Dialect.of(connection);
      incompatibility(dialect, connection);
      durabilityProblem(dialect, connection);
      return dialect;
    });
  }

  private void durabilityProblem(Dialect dialect, Connection connection) throws SQLException {
    if (settings.leasedOnly() || settings.volatileAllowed()) {
      return;
    }
    Optional<String> durabilityProblem = dialect.durabilityProblem(connection, settings.table());
    if (durabilityProblem.isPresent()) {
      throw new IllegalStateException("the database may lose a commit: " + durabilityProblem.get()
          + "; or build the store with leasedOnly(), or insist with allowVolatile(true)");
    }
  }

  /** Returns which setting of the database may lose a commit; empty if none. */
  List<String> warnings() {
    return look(
        "checking the database",
        connection -> Dialect.of(connection)
            .durabilityProblem(connection, settings.table())
            .map(problem -> "the database may lose a commit: " + problem)
            .stream()
            .toList());
  }

  /**
   * Checks that the table exists, has the columns and indexes that this version needs, and lets the
   * user execute the statements of the store. Returns the table's name with its schema, in quotes,
   * so that a handler that changes the search path or default schema of a session does not matter.
   */
  String checkTable(Dialect dialect, Set<Grants> needed) {
    return look("checking the table", connection -> {
      List<String> faults = shape(dialect).faults(connection).orElseThrow(this::missing);
      if (!faults.isEmpty()) {
        throw new StoreException("table " + settings.table() + " does not fit this version: "
            + String.join("; ", faults)
            + ". Compare it with the script that JdbcDedupStore.ddl(dataSource, table) returns, and"
            + " change what differs");
      }
      incompatibility(dialect, connection);
      String name = qualifiedName(dialect, connection);
      refuseIfNotGranted(connection, name, needed);
      return name;
    });
  }

  /**
   * Executes what surrounds the handler in each transaction, without marks, and rolls it back. A
   * filter of the pool or a proxy may refuse these statements. No message would ever run.
   */
  void rehearseTransaction(Dialect dialect) {
    if (settings.leasedOnly()) {
      return;
    }
    String what = "rehearsing a transaction";
    try (Connection connection = connect(what)) {
      Dialect.Transaction transaction = dialect.begin(connection, settings);
      SQLException failure = new SQLException("the rehearsal could not be rolled back");
      try {
        transaction.marksWritten();
        var unused = transaction.status();
      } catch (SQLException e) {
        failure = e;
        throw e;
      } finally {
        Transactions.undo(connection, transaction, failure);
      }
    } catch (SQLException e) {
      if (SqlErrors.isConnectionLoss(e)) {
        throw SqlErrors.during(what, e, settings);
      }
      throw new IllegalStateException(
          "the statements of a transaction are refused: "
              + Credentials.cutFrom(String.valueOf(e.getMessage()))
              + ". A filter of the pool or a proxy must let them pass (Druid's wall filter with"
              + " noneBaseStatementAllow); or build the store with leasedOnly()",
          e);
    }
  }

  private void refuseIfNotGranted(Connection connection, String name, Set<Grants> needed) {
    List<String> missing = Grants.missing(connection, name, needed);
    if (!missing.isEmpty()) {
      String grants = String.join(", ", missing);
      throw new StoreException("the user of the data source may not execute " + grants
          + " on table " + settings.table() + " but must: run GRANT " + grants + " ON "
          + settings.table() + " TO this user");
    }
  }

  private String qualifiedName(Dialect dialect, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(dialect.catalogue(settings.table()).qualifiedName())) {
      if (!row.next()) {
        throw missing();
      }
      String name = dialect.quoted(row.getString("table_schema")) + "."
          + dialect.quoted(row.getString("table_name"));
      if (row.next()) {
        throw new StoreException(
            "table " + settings.table() + " is " + name + " or another one whose"
                + " name differs in case only: drop one of them, or name another table");
      }
      return name;
    }
  }

  private TableShape shape(Dialect dialect) {
    return new TableShape(dialect.catalogue(settings.table()), script(dialect));
  }

  private StoreException missing() {
    return new StoreException("table " + settings.table() + " is missing; build the store with"
        + " createIfAbsent(), or run the script that JdbcDedupStore.ddl(dataSource, table) returns,"
        + " or the files for Flyway or Liquibase (docs/sql.md)");
  }

  private void incompatibility(Dialect dialect, Connection connection) throws SQLException {
    Optional<String> incompatibility = dialect.incompatibility(connection, settings.table());
    if (incompatibility.isPresent()) {
      throw new IllegalStateException("the database cannot keep marks: " + incompatibility.get());
    }
  }

  String script() {
    return look("checking the database", connection -> script(Dialect.of(connection)));
  }

  private String script(Dialect dialect) {
    String table = settings.table();
    try (InputStream resource = Schema.class.getResourceAsStream(dialect.ddl())) {
      if (resource == null) {
        throw new IllegalStateException(dialect.ddl() + " is missing on the class path");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${table}", table)
          .replace("${index}", dialect.index(table, "_expires_at_us"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Creates the table unless it exists; an existing table needs no privilege to create one. Nodes
   * that create it at once may fail and then find the table of another node, on H2 for a moment
   * without its key and index.
   */
  void createIfAbsent(Dialect dialect) {
    look("creating the table", connection -> {
      @Nullable SQLException last = null;
      for (int attempt = 1; attempt <= CREATE_TRIES; attempt++) {
        Optional<List<String>> faults = shape(dialect).faults(connection);
        if (faults.isPresent() && !TableShape.isUnfinished(faults.get())) {
          return true; // The check that follows reports what is wrong with it.
        }
        last = faults.isPresent() ? null : create(connection, dialect);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos()));
      }
      if (last != null) {
        throw last;
      }
      return false;
    });
  }

  private @Nullable SQLException create(Connection connection, Dialect dialect) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(script(dialect));
      return null;
    } catch (SQLException e) {
      return e;
    }
  }
}
