package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A transaction of H2. Limits and isolation belong to the session and are set back. A failed
 * statement is undone alone, so a swallowed error does not break the transaction. A deadlock, a
 * commit or a rollback ends it, and the next one has another number.
 */
final class H2Transaction implements Dialect.Transaction {

  private final Connection connection;
  private final Dialect.Restore session;
  private Optional<String> number = Optional.empty();

  H2Transaction(Connection connection, Dialect.Restore session) {
    this.connection = connection;
    this.session = session;
  }

  static Dialect.Restore enter(Connection connection, JdbcSettings settings, boolean autocommit)
      throws SQLException {
    int lockTimeout = lockTimeout(connection);
    int isolation = connection.getTransactionIsolation();
    Dialect.Restore autocommitBefore = Transactions.autocommit(connection, true);
    Dialect.Restore restore = () -> {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      setLockTimeout(connection, lockTimeout);
      connection.setTransactionIsolation(isolation);
      autocommitBefore.restore();
    };
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      setLockTimeout(connection, Math.toIntExact(settings.lockWait().toMillis()));
      connection.setAutoCommit(autocommit);
      return restore;
    } catch (SQLException e) {
      Transactions.undo(connection, restore, e);
      throw e;
    }
  }

  static H2Transaction join(Connection connection, JdbcSettings settings) throws SQLException {
    Transactions.requireReadCommitted(connection);
    int lockTimeout = lockTimeout(connection);
    setLockTimeout(connection, Math.toIntExact(settings.lockWait().toMillis()));
    return new H2Transaction(connection, () -> setLockTimeout(connection, lockTimeout));
  }

  private static int lockTimeout(Connection connection) throws SQLException {
    return Integer.parseInt(Dialect.first(connection, "SELECT LOCK_TIMEOUT()").orElseThrow());
  }

  private static void setLockTimeout(Connection connection, int millis) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SET LOCK_TIMEOUT ?")) {
      statement.setInt(1, millis);
      statement.execute();
    }
  }

  @Override
  public void marksWritten() throws SQLException {
    number = current();
  }

  @Override
  public Dialect.TransactionStatus status() throws SQLException {
    Optional<String> now = current();
    return now.isPresent() && now.equals(number)
        ? Dialect.TransactionStatus.INTACT
        : Dialect.TransactionStatus.ENDED;
  }

  private Optional<String> current() throws SQLException {
    return Dialect.first(connection, "SELECT TRANSACTION_ID()");
  }

  @Override
  public void restore() throws SQLException {
    session.restore();
  }
}
