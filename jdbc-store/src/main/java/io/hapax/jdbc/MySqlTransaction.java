package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A transaction of MySQL or MariaDB. Limits and isolation belong to the session and are set back;
 * the handler gets the session's own lock wait back. A failed statement is undone alone, so a
 * swallowed error does not break the transaction. A deadlock, a commit or a rollback ends it, and
 * its savepoint too.
 */
final class MySqlTransaction implements Dialect.Transaction {

  private static final int NO_SUCH_SAVEPOINT = 1305;

  private final Connection connection;
  private final Session before;
  private final Dialect.IdleLimit idleLimit;
  private final Dialect.Restore restore;

  private MySqlTransaction(
      Connection connection, Session before, Session during, Dialect.Restore restore) {
    this.connection = connection;
    this.before = before;
    this.idleLimit = during.idleLimit();
    this.restore = restore;
  }

  /**
   * The session variables of a server: of the isolation, and those that limit the idle time of a
   * transaction with writes.
   */
  record Variables(String isolation, List<String> idleInTransaction) {

    String query() {
      StringBuilder query = new StringBuilder("SELECT @@session." + isolation
          + ", @@session.innodb_lock_wait_timeout, @@session.wait_timeout");
      idleInTransaction.forEach(name -> query.append(", @@session.").append(name));
      return query.toString();
    }
  }

  /** The settings of a session, in whole seconds; the store leaves the other limits as they are. */
  private record Session(
      Variables variables,
      String isolation,
      long lockWait,
      long idle,
      List<Dialect.IdleLimit> others) {

    static Session of(Connection connection, Variables variables) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(variables.query())) {
        row.next();
        List<Dialect.IdleLimit> others = new ArrayList<>();
        for (String name : variables.idleInTransaction()) {
          long seconds = row.getLong(4 + others.size());
          others.add(new Dialect.IdleLimit(
              name, seconds == 0 ? ChronoUnit.FOREVER.getDuration() : Duration.ofSeconds(seconds)));
        }
        return new Session(variables, row.getString(1), row.getLong(2), row.getLong(3), others);
      }
    }

    Session limited(JdbcSettings settings, boolean idleToo) {
      return new Session(
          variables,
          "READ-COMMITTED",
          seconds(settings.lockWait()),
          idleToo ? seconds(settings.idleLimit()) : idle,
          others);
    }

    /** Returns the shortest limit. */
    Dialect.IdleLimit idleLimit() {
      return Stream.concat(
              Stream.of(new Dialect.IdleLimit("idleLimit", Duration.ofSeconds(idle))),
              others.stream())
          .min(Comparator.comparing(Dialect.IdleLimit::time))
          .orElseThrow();
    }

    /**
     * Sets all of them, and restarts a clock that the session has stopped: the store uses that
     * clock.
     */
    void set(Connection connection) throws SQLException {
      execute(
          connection,
          "SET SESSION " + variables.isolation() + " = '" + isolation
              + "', SESSION innodb_lock_wait_timeout = "
              + lockWait + ", SESSION wait_timeout = " + idle + ", SESSION timestamp = DEFAULT");
    }

    private static long seconds(Duration duration) {
      return Math.max(1, duration.plusNanos(999_999_999).toSeconds());
    }
  }

  static MySqlTransaction begin(Connection connection, JdbcSettings settings, Variables variables)
      throws SQLException {
    refuseReplay(connection, settings);
    Session before = Session.of(connection, variables);
    Session during = before.limited(settings, true);
    return new MySqlTransaction(
        connection, before, during, enter(connection, before, during, false));
  }

  static MySqlTransaction join(Connection connection, JdbcSettings settings, Variables variables)
      throws SQLException {
    refuseReplay(connection, settings);
    Session before = Session.of(connection, variables);
    if (!before.isolation().equals("READ-COMMITTED")) {
      throw Transactions.notReadCommitted(before.isolation());
    }
    Session during = before.limited(settings, true);
    during.set(connection);
    return new MySqlTransaction(connection, before, during, () -> before.set(connection));
  }

  /**
   * Refuses a driver that repeats a lost transaction on another connection. Another consumer may
   * have completed the messages meanwhile: inserting their marks again is no error, so that the
   * repeated effects would be committed.
   */
  private static void refuseReplay(Connection connection, JdbcSettings settings)
      throws SQLException {
    String url = String.valueOf(connection.getMetaData().getURL());
    if (!settings.leasedOnly() && url.contains("transactionReplay=true")) {
      throw new IllegalStateException("transactionReplay is true but must be false in transactional"
          + " mode: after a lost connection MariaDB's driver would repeat effects of messages that"
          + " another consumer has completed. Or build the store with leasedOnly()");
    }
  }

  static Dialect.Restore enter(
      Connection connection, JdbcSettings settings, Variables variables, boolean autocommit)
      throws SQLException {
    Session before = Session.of(connection, variables);
    return enter(connection, before, before.limited(settings, false), autocommit);
  }

  private static Dialect.Restore enter(
      Connection connection, Session before, Session wanted, boolean autocommit)
      throws SQLException {
    Dialect.Restore autocommitBefore = Transactions.autocommit(connection, autocommit);
    Dialect.Restore restore = () -> {
      before.set(connection);
      autocommitBefore.restore();
    };
    try {
      wanted.set(connection);
      return restore;
    } catch (SQLException e) {
      Transactions.undo(connection, restore, e);
      throw e;
    }
  }

  @Override
  public void marksWritten() throws SQLException {
    execute(connection, "SET SESSION innodb_lock_wait_timeout = " + before.lockWait());
    askAgain();
  }

  @Override
  public Dialect.TransactionStatus status() throws SQLException {
    try {
      execute(connection, "RELEASE SAVEPOINT hapax_marks");
      return Dialect.TransactionStatus.INTACT;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
        return Dialect.TransactionStatus.ENDED;
      }
      throw e;
    }
  }

  @Override
  public void askAgain() throws SQLException {
    execute(connection, "SAVEPOINT hapax_marks");
  }

  @Override
  public Optional<Dialect.IdleLimit> idleLimit() {
    return Optional.of(idleLimit);
  }

  @Override
  public void restore() throws SQLException {
    restore.restore();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
