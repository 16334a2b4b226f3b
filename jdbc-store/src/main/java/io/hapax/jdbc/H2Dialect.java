package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * H2. It cannot read and insert in one statement, so a claim costs two: the time and the rows, then
 * the insert. Its savepoints are not checked on release; the number of the transaction is.
 */
final class H2Dialect implements Dialect {

  @Override
  public String ddl() {
    return "h2.sql";
  }

  @Override
  public String now() {
    return "(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00',"
        + " CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT))";
  }

  @Override
  public String arrayType(Column.Type type) {
    return elementType(type) + " ARRAY";
  }

  @Override
  public String elementType(Column.Type type) {
    return switch (type) {
      case UUID -> "UUID";
      case INTEGER -> "INTEGER";
      case BIGINT -> "BIGINT";
      case TEXT -> "VARCHAR";
      case BYTES -> "VARBINARY";
    };
  }

  @Override
  public Optional<String> readOrInsert() {
    return Optional.empty();
  }

  @Override
  public String insert() {
    return """
          INSERT INTO ${table} (${columns}, version)
          SELECT ${values}, 1 FROM ${rows}
          WHERE ${now} <= s.not_after_us
            AND NOT EXISTS (SELECT 1 FROM ${table} m WHERE m.k = s.k)
        """;
  }

  @Override
  public String update() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND m.version = s.was_version AND m.token = s.was_token
            AND ${now} <= s.not_after_us
          WHEN MATCHED THEN UPDATE SET nonce = s.nonce, token = s.token,
            fingerprint = s.fingerprint, claimed_at_us = s.claimed_at_us, until_us = s.until_us,
            attempt = s.attempt, state = s.state, flags = s.flags, owner = s.owner, coordinates = s.coordinates, scope = s.scope,
            message_id = s.message_id, detail = s.detail, version = m.version + 1
        """;
  }

  @Override
  public String renew() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token
          WHEN MATCHED THEN UPDATE SET until_us = ${now} + CAST(:lease_us AS BIGINT),
            version = m.version + 1
        """;
  }

  @Override
  public String settle() {
    return """
          MERGE INTO ${table} m USING (SELECT * FROM ${rows}) s
          ON m.k = s.k AND m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token
            AND m.attempt = s.was_attempt AND m.flags = s.was_flags
          WHEN MATCHED THEN UPDATE SET state = s.state, until_us = ${now} + s.until_us,
            attempt = s.attempt, flags = s.flags, detail = s.detail, version = m.version + 1,
            owner = CASE WHEN s.state <> 3 THEN m.owner END,
            coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
            scope = CASE WHEN s.state <> 3 THEN m.scope END,
            message_id = CASE WHEN s.state <> 3 THEN m.message_id END
        """;
  }

  @Override
  public String purge() {
    return """
        DELETE FROM ${table} WHERE state = 3 AND k IN (
          SELECT k FROM ${table}
          WHERE state = 3 AND expires_at_us < ${now}
            AND until_us < ${now} - CAST(:retention_us AS BIGINT)
          ORDER BY expires_at_us LIMIT :limit)
        """;
  }

  /**
   * H2 could, as {@code FINAL TABLE}; but it takes that for a query. What such a statement has
   * changed before it fails, or before H2 itself starts it again because of another transaction, is
   * neither undone nor returned: a mark without its effect.
   */
  @Override
  public boolean returnsChangedRows() {
    return false;
  }

  @Override
  public Restore enterAutocommit(Connection connection, JdbcSettings settings) throws SQLException {
    return enter(connection, settings, true);
  }

  /** A statement with an implicit commit, or COMMIT as SQL, ends the numbered transaction. */
  @Override
  public Transaction begin(Connection connection, JdbcSettings settings) throws SQLException {
    Restore restore = enter(connection, settings, false);
    return new Transaction() {
      private Optional<String> number = Optional.empty();

      @Override
      public void marked() throws SQLException {
        number = Optional.ofNullable(text(connection, "SELECT TRANSACTION_ID()"));
      }

      @Override
      public Standing standing() throws SQLException {
        Optional<String> now = Optional.ofNullable(text(connection, "SELECT TRANSACTION_ID()"));
        return now.isPresent() && now.equals(number) ? Standing.WHOLE : Standing.GONE;
      }

      @Override
      public void restore() throws SQLException {
        restore.restore();
      }
    };
  }

  private static Restore enter(Connection connection, JdbcSettings settings, boolean autocommit)
      throws SQLException {
    int lockTimeout = lockTimeout(connection);
    int isolation = connection.getTransactionIsolation();
    Restore autocommitRestore = Transactions.autocommit(connection, true);
    Restore restore = () -> {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      setLockTimeout(connection, lockTimeout);
      connection.setTransactionIsolation(isolation);
      autocommitRestore.restore();
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

  private static int lockTimeout(Connection connection) throws SQLException {
    return Integer.parseInt(
        Objects.requireNonNull(text(connection, "SELECT LOCK_TIMEOUT()"), "LOCK_TIMEOUT()"));
  }

  private static void setLockTimeout(Connection connection, int millis) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SET LOCK_TIMEOUT ?")) {
      statement.setInt(1, millis);
      statement.execute();
    }
  }

  @Override
  public Set<String> committing() {
    return Set.of(
        "ALTER",
        "ANALYZE",
        "BACKUP",
        "CHECKPOINT",
        "COMMENT",
        "CREATE",
        "DROP",
        "GRANT",
        "REVOKE",
        "RUNSCRIPT",
        "SHUTDOWN",
        "TRUNCATE");
  }

  @Override
  public Optional<String> forgetfulness(Connection connection) throws SQLException {
    if (text(connection, "SELECT DATABASE_PATH()") == null) {
      return Optional.of("the database lives in memory only but must be a file");
    }
    @Nullable
    String delay = text(
        connection,
        "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'");
    if (delay == null || !delay.equals("0")) {
      return Optional.of("WRITE_DELAY is " + (delay == null ? "unknown" : delay + " ms")
          + " but must be 0 (add ;WRITE_DELAY=0 to the URL)");
    }
    return Optional.empty();
  }

  private static @Nullable String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : null;
    }
  }
}
