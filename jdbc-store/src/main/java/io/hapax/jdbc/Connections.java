package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections for statements with autocommit and for transactions, and retries after
 * contention. A transaction of {@link #run} is not retried.
 */
final class Connections implements TransactionRunner {

  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  private static final int TRIES = 5;
  private static final long LONGEST_FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  /**
   * Caches parsed statements for all stores. A wrapped connection lives for one transaction only,
   * and with a parser of its own it would parse each statement again.
   */
  private static final SqlParser PARSER = new ColonPrefixSqlParser();

  private final Jdbi jdbi;
  private final Dialect dialect;
  private final JdbcSettings settings;
  private final IntConsumer pause;

  Connections(DataSource dataSource, Dialect dialect, JdbcSettings settings) {
    this(dataSource, dialect, settings, Connections::pauseAfter);
  }

  Connections(DataSource dataSource, Dialect dialect, JdbcSettings settings, IntConsumer pause) {
    this.jdbi = configured(Jdbi.create(dataSource));
    this.dialect = dialect;
    this.settings = settings;
    this.pause = pause;
  }

  /**
   * Switches off templates, because the SQL is expanded already, and the rollback of open
   * transactions, because a pool may lend connections without autocommit.
   */
  private static Jdbi configured(Jdbi jdbi) {
    jdbi.getConfig(SqlStatements.class).setTemplateEngine(TemplateEngine.NOP).setSqlParser(PARSER);
    jdbi.getConfig(Handles.class).setForceEndTransactions(false);
    return jdbi;
  }

  /** Wraps a connection of the application. Closing the handle leaves the connection open. */
  static Handle wrap(Connection connection) {
    return configured(Jdbi.create(connection)).open();
  }

  /** Uses a borrowed connection. */
  @FunctionalInterface
  interface Use<R, X extends Exception> {
    R on(Handle handle) throws X;
  }

  /**
   * Borrows a connection for one use. A failure to give it back is logged only, because the work on
   * it is already committed.
   */
  <R, X extends Exception> R borrow(String what, Use<R, X> use) throws X {
    Handle handle = open(what);
    R result;
    try {
      result = use.on(handle);
    } catch (Throwable e) {
      try {
        handle.close();
      } catch (RuntimeException notClosed) {
        e.addSuppressed(notClosed);
      }
      throw e;
    }
    try {
      handle.close();
    } catch (RuntimeException e) {
      LOG.warn("Could not give a connection back after {}", what, e);
    }
    return result;
  }

  private Handle open(String what) {
    try {
      return jdbi.open();
    } catch (RuntimeException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  /**
   * Runs statements with autocommit. A statement that lost a deadlock was not executed, so all are
   * tried again after a pause.
   */
  <R> R autocommit(String what, Function<Handle, R> statements) {
    return withRetries(what, (handle, again) -> once(handle, statements, again));
  }

  /** Runs statements in one transaction and tries it again after a lost deadlock. */
  <R> R transaction(String what, Function<Handle, R> statements) {
    return withRetries(
        what,
        (handle, again) -> this.<R, RuntimeException>committed(
            what, handle, (same, transaction, owner) -> statements.apply(same)));
  }

  @FunctionalInterface
  private interface Try<R> {
    R on(Handle handle, boolean again) throws SQLException;
  }

  private <R> R withRetries(String what, Try<R> one) {
    for (int attempt = 1; ; attempt++) {
      boolean again = attempt > 1;
      try {
        return this.<R, SQLException>borrow(what, handle -> one.on(handle, again));
      } catch (RuntimeException | SQLException e) {
        if (!SqlErrors.isContention(e) || attempt == TRIES) {
          throw SqlErrors.during(what, e, settings);
        }
        pause.accept(attempt);
      }
    }
  }

  /**
   * Waits after a number of lost tries. The pause is random, so that the same transactions do not
   * collide again, and its upper bound grows with each lost try.
   */
  private static void pauseAfter(int tries) {
    LockSupport.parkNanos(pauseNanos(tries));
  }

  static long pauseNanos(int tries) {
    return ThreadLocalRandom.current().nextLong(LONGEST_FIRST_PAUSE_NANOS * tries);
  }

  @Override
  public <R, X extends Exception> R run(String what, Body<R, X> body) throws X {
    return this.<R, X>borrow(what, handle -> committed(what, handle, body));
  }

  private <R, X extends Exception> R committed(String what, Handle handle, Body<R, X> body)
      throws X {
    Connection connection = handle.getConnection();
    Dialect.Transaction transaction = begin(what, connection);
    R result;
    try {
      result = body.in(handle, transaction, Owner.STORE);
      commit(connection);
    } catch (Throwable e) {
      Transactions.undo(connection, transaction, e);
      throw e;
    }
    Transactions.restore(connection, transaction);
    return result;
  }

  private Dialect.Transaction begin(String what, Connection connection) {
    try {
      return dialect.begin(connection, settings);
    } catch (SQLException e) {
      throw SqlErrors.during(what, e, settings);
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      throw SqlErrors.duringCommit(SqlErrors.withoutPasswords(e));
    }
  }

  private <R> R once(Handle handle, Function<Handle, R> statements, boolean again)
      throws SQLException {
    Connection connection = handle.getConnection();
    Dialect.Restore restore = enter(connection, again);
    R result;
    try {
      result = statements.apply(handle);
    } catch (Throwable e) {
      Transactions.undo(connection, restore, e);
      throw e;
    }
    Transactions.restore(connection, restore);
    return result;
  }

  /**
   * Prepares a session for autocommit. Sets READ COMMITTED only on a retry: another isolation just
   * causes more contention, and asking for it may cost a round trip.
   */
  private Dialect.Restore enter(Connection connection, boolean again) throws SQLException {
    Dialect.Restore restore = dialect.enterAutocommit(connection, settings);
    if (!again) {
      return restore;
    }
    try {
      Dialect.Restore isolation = Transactions.readCommitted(connection);
      return () -> {
        isolation.restore();
        restore.restore();
      };
    } catch (SQLException e) {
      Transactions.undo(connection, restore, e);
      throw e;
    }
  }
}
