package io.hapax.jdbc;

import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies SQL errors by SQLState or vendor code, never by text. */
final class SqlErrors {

  /** Deadlock; serialization failure (SQL standard). PostgreSQL, H2. */
  private static final Set<String> CONTENTION = Set.of("40P01", "40001");
  /** PostgreSQL lock_not_available; the standard's timeout, which H2 uses. */
  private static final Set<String> LOCK_TIMEOUT = Set.of("55P03", "HYT00");
  /** Undefined table: PostgreSQL; H2 and MySQL; H2 when the database is empty, and with a hint. */
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

  /** PostgreSQL: session ended because of an idle transaction. */
  private static final String IDLE = "25P03";
  /** PostgreSQL: session ended because of a long transaction. */
  private static final String LONG = "25P04";
  /** MySQL: session ended because it was idle. MariaDB's driver gives it a general state. */
  private static final int MYSQL_IDLE = 4031;
  /** H2: connection broken, database closed. */
  private static final Set<String> SESSION_ENDED = Set.of(IDLE, LONG, "90067", "90098", "90121");

  /** Insufficient privilege: PostgreSQL; H2. */
  private static final Set<String> DENIED = Set.of("42501", "90096");

  /** MySQL and MariaDB: a statement on a table, or on a column, is denied. */
  private static final Set<Integer> MYSQL_DENIED = Set.of(1142, 1143);

  /** MySQL and MariaDB: lock wait exceeded. The drivers give it different states. */
  private static final int MYSQL_LOCK_TIMEOUT = 1205;

  private SqlErrors() {}

  /** Returns a failure and its causes, in order. */
  static List<Throwable> causes(Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    @Nullable Throwable cause = failure;
    while (cause != null && !causes.contains(cause)) {
      causes.add(cause);
      cause = cause.getCause();
    }
    return causes;
  }

  /** Returns the SQL error among a failure and its causes, if any. */
  static Optional<SQLException> sqlCause(Throwable failure) {
    return causes(failure).stream()
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .findFirst();
  }

  static boolean isContention(Throwable failure) {
    return sqlCause(failure).map(SqlErrors::isContention).orElse(false);
  }

  static boolean isLockTimeout(Throwable failure) {
    return sqlCause(failure).map(SqlErrors::isLockTimeout).orElse(false);
  }

  private static boolean isLockTimeout(SQLException sql) {
    return LOCK_TIMEOUT.contains(state(sql)) || sql.getErrorCode() == MYSQL_LOCK_TIMEOUT;
  }

  private static boolean isContention(SQLException sql) {
    return CONTENTION.contains(state(sql)) && !isLockTimeout(sql);
  }

  static boolean isDenied(SQLException failure) {
    return DENIED.contains(state(failure)) || MYSQL_DENIED.contains(failure.getErrorCode());
  }

  static boolean isDuplicateKey(Throwable failure) {
    return sqlCause(failure).map(sql -> state(sql).equals("23505")).orElse(false);
  }

  static boolean isConnectionLoss(SQLException failure) {
    String state = state(failure);
    return state.startsWith("08")
        || state.startsWith("57P")
        || SESSION_ENDED.contains(state)
        || failure.getErrorCode() == MYSQL_IDLE;
  }

  /**
   * Returns the failure of a handler that was too slow for a limit of the server, which therefore
   * ended the transaction. MariaDB gives no reason when it closes a connection.
   */
  static Optional<BrokenTransactionException> tooSlow(
      SQLException met, Duration pause, Optional<Dialect.IdleLimit> limit, Throwable cause) {
    if (state(met).equals(LONG)) {
      return Optional.of(tooSlow(met, "it lasted longer than transaction_timeout", cause));
    }
    boolean idle = state(met).equals(IDLE)
        || met.getErrorCode() == MYSQL_IDLE
        || (isConnectionLoss(met) && limit.filter(it -> it.explains(pause)).isPresent());
    return Optional.of("the handler executed no statement for longer than ")
        .filter(text -> idle)
        .map(text -> text + limit.map(Object::toString).orElse("the server's limit"))
        .map(reason -> tooSlow(met, reason, cause));
  }

  private static BrokenTransactionException tooSlow(
      SQLException met, String reason, Throwable cause) {
    return new BrokenTransactionException(
        "the database ended the transaction and rolled it back, because " + reason + " (SQLState "
            + state(met) + "); make the handler faster, or raise the limit",
        cause);
  }

  /**
   * Returns whether a handler failed because of contention or a lost connection, which is not its
   * fault: the last error of its connection must be among the causes of what it threw.
   */
  static boolean isDatabasesFault(SQLException met, Throwable failure) {
    return (isContention(met) || isConnectionLoss(met)) && causes(failure).contains(met);
  }

  /** Returns what a verb throws for such a failure; the handler's exception is its cause. */
  static StoreException inHandler(String what, Throwable failure) {
    String code = sqlCause(failure).map(sql -> " (SQLState " + state(sql) + ")").orElse("");
    return isContention(failure)
        ? new StoreContentionException(
            what + ": the database rolled back because of other transactions" + code
                + ", and the handler failed: " + failure,
            failure)
        : new StoreException(
            what + ": the database was lost while the handler ran" + code
                + ", and the handler failed: " + failure,
            failure);
  }

  /**
   * Returns the text of an error of the connection or the pool. The text of a statement's error may
   * contain a payload and is left out.
   */
  private static String textOf(Throwable cause) {
    boolean ofTheConnection = cause instanceof SQLException sql
        && (state(sql).isEmpty()
            || isConnectionLoss(sql)
            || cause instanceof SQLTransientException);
    return ofTheConnection ? ": " + Credentials.cutFrom(String.valueOf(cause.getMessage())) : "";
  }

  private static String state(SQLException sql) {
    @Nullable String state = sql.getSQLState();
    return state == null ? "" : state;
  }

  /**
   * Returns what a verb throws for a failure of the database; neither it nor its causes contain a
   * password.
   */
  static StoreException during(String what, Throwable failure, JdbcSettings settings) {
    if (failure instanceof StoreException already) {
      return already;
    }
    Throwable cause = withoutPasswords(failure);
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
    return new StoreException(what + ": the database failed" + code + textOf(cause), cause);
  }

  /** Returns the SQL error among a failure and its causes, or the failure, without passwords. */
  static Throwable withoutPasswords(Throwable failure) {
    return Credentials.cutFrom(sqlCause(failure).<Throwable>map(sql -> sql).orElse(failure));
  }

  /**
   * Returns what a verb throws for a failed commit. The transaction counts as rolled back if the
   * SQLState is that of a refused commit, or if a frame says so. Otherwise the outcome is unknown.
   */
  static RuntimeException duringCommit(Throwable failure) {
    if (failure instanceof StoreException || failure instanceof BrokenTransactionException) {
      return (RuntimeException) failure;
    }
    String state = sqlCause(failure).map(SqlErrors::state).orElse("");
    if (isContention(failure)) {
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
