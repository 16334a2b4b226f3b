package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;

/** Borrows connections for verbs that commit by themselves, and for transactions. */
final class Borrowing {

  private static final int TRIES = 5;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(10);

  private final Jdbi jdbi;
  private final Dialect dialect;
  private final JdbcSettings settings;

  Borrowing(DataSource dataSource, Dialect dialect, JdbcSettings settings) {
    this.jdbi = Jdbi.create(dataSource);
    this.dialect = dialect;
    this.settings = settings;
    // Statements are written out already, and a pool may lend connections without autocommit.
    jdbi.getConfig(SqlStatements.class).setTemplateEngine(TemplateEngine.NOP);
    jdbi.getConfig(Handles.class).setForceEndTransactions(false);
  }

  Handle open() {
    return jdbi.open();
  }

  /**
   * Runs statements that commit one by one. What lost a deadlock was not executed, and is tried
   * again after a moment.
   */
  <R> R autocommit(String what, Function<Handle, R> statements) {
    RuntimeException last = new IllegalStateException("never tried");
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return once(statements);
      } catch (RuntimeException | SQLException e) {
        if (!SqlTrouble.isContention(e) || attempt == TRIES) {
          throw SqlTrouble.during(what, e, settings);
        }
        LockSupport.parkNanos(
            ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toNanos() * attempt));
      }
    }
    throw last;
  }

  private <R> R once(Function<Handle, R> statements) throws SQLException {
    try (Handle handle = jdbi.open()) {
      Connection connection = handle.getConnection();
      Dialect.Restore restore = dialect.enterAutocommit(connection, settings);
      R result;
      try {
        result = statements.apply(handle);
      } catch (Throwable e) {
        Transactions.undo(connection, restore, e);
        throw e;
      }
      restore.restore();
      return result;
    }
  }
}
