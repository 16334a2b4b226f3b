package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells by its codes, never by its text, what an SQL error means. */
final class SqlTrouble {

  /** Deadlock; serialization failure (SQL standard). PostgreSQL, H2. */
  private static final Set<String> CONTENTION = Set.of("40P01", "40001");
  /** PostgreSQL lock_not_available; the standard's timeout, which H2 and MariaDB use. */
  private static final Set<String> LOCK_TIMEOUT = Set.of("55P03", "HYT00");
  /** Undefined table: PostgreSQL; H2 and MySQL; H2 when the database is empty, and with a hint. */
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

  private SqlTrouble() {}

  /** The SQL error that a failure was caused by, if any. */
  static Optional<SQLException> sqlCause(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable cause = failure;
    while (cause != null && seen.add(cause)) {
      if (cause instanceof SQLException sql) {
        return Optional.of(sql);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  static boolean isContention(Throwable failure) {
    return sqlCause(failure).map(sql -> CONTENTION.contains(state(sql))).orElse(false);
  }

  static boolean isLockTimeout(Throwable failure) {
    return sqlCause(failure).map(sql -> LOCK_TIMEOUT.contains(state(sql))).orElse(false);
  }

  static boolean isDuplicateKey(Throwable failure) {
    return sqlCause(failure).map(sql -> state(sql).equals("23505")).orElse(false);
  }

  static boolean isConnectionLoss(SQLException failure) {
    String state = state(failure);
    return state.startsWith("08") || state.startsWith("57P") || state.equals("25P03");
  }

  private static String state(SQLException sql) {
    @Nullable String state = sql.getSQLState();
    return state == null ? "" : state;
  }

  /** What a verb throws for a failure of the database. */
  static StoreException during(String what, Throwable failure, JdbcSettings settings) {
    if (failure instanceof StoreException already) {
      return already;
    }
    Throwable cause = sqlCause(failure).<Throwable>map(sql -> sql).orElse(failure);
    String code = cause instanceof SQLException sql ? " (SQLState " + state(sql) + ")" : "";
    if (isContention(failure)) {
      return new StoreContentionException(
          what + ": the database rolled back because of other transactions" + code, cause);
    }
    if (cause instanceof SQLException sql && NO_TABLE.contains(state(sql))) {
      return new StoreException(
          what + ": table " + settings.table() + " is missing" + code
              + "; build the store with createIfAbsent(), or run the script that"
              + " JdbcDedupStore.ddl(dataSource, table) returns",
          cause);
    }
    return new StoreException(what + ": the database failed" + code, cause);
  }

  /**
   * What a failed COMMIT means. Only an error that the server certainly sent while it rolled back
   * counts as such; whatever else it is, the outcome is unknown.
   */
  static RuntimeException duringCommit(SQLException failure) {
    String state = state(failure);
    if (CONTENTION.contains(state)) {
      return new StoreContentionException(
          "commit: the database rolled back because of other transactions (SQLState " + state + ")",
          failure);
    }
    if (state.startsWith("23") || state.equals("25P02")) {
      return new BrokenTransactionException(
          "the handler's writes cannot be committed (SQLState " + state
              + "); everything was rolled back",
          failure);
    }
    return new CommitUnknownException(
        "commit failed and may have taken effect (SQLState " + state + ")", failure);
  }
}
