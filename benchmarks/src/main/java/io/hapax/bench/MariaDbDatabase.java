package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** MariaDB, durable, with the memory of a small server of its own. */
final class MariaDbDatabase implements Database {

  private static final String NAME = "bench";

  private final LocalMariaDb server = LocalMariaDb.builder()
      .setting("innodb_buffer_pool_size", "1G")
      .setting("innodb_log_file_size", "1G")
      .start();
  private final String url = server.createDatabase(NAME);

  @Override
  public HikariDataSource pool(boolean autoCommit) {
    return Sql.pool(url, server.username(), server.password(), autoCommit);
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.of(server.pid());
  }

  @Override
  public String product() {
    return "MariaDB";
  }

  @Override
  public String settings() {
    return """
        SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit',
          'innodb_doublewrite', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'log_bin')
        """;
  }

  @Override
  public String counters() {
    return """
        SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', 'Innodb_os_log_written',
          'Innodb_buffer_pool_pages_flushed', 'Innodb_buffer_pool_wait_free')
        """;
  }

  @Override
  public Object bits(long high, long low) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
  }

  @Override
  public void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    Sql.insertValues(connection, table, columns, rows);
  }

  @Override
  public void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    String list = String.join(", ", Collections.nCopies(keys.size(), "?"));
    try (PreparedStatement update = connection.prepareStatement(
        "UPDATE " + table + Sql.FINISHED + " WHERE k IN (" + list + ")")) {
      for (int i = 0; i < keys.size(); i++) {
        update.setObject(i + 1, keys.get(i));
      }
      Sql.expect(keys.size(), update.executeUpdate());
    }
  }

  @Override
  public String fill(String table, Columns columns, long from, long to) {
    return """
        INSERT INTO %s (%s)
        SELECT UNHEX(LEFT(SHA2(CONCAT(X'%s', '%s', LPAD(seq, %d, '0')), 256), 32)), %s
        FROM seq_%d_to_%d
        ORDER BY 1
        """.formatted(
            table,
            columns.list(),
            Database.hashed(),
            Messages.KNOWN,
            Messages.DIGITS,
            String.join(", ", Collections.nCopies(columns.size() - 1, "?")),
            from,
            to - 1);
  }

  /**
   * Returns one portion for all rows, in the order of their keys. With smaller portions, each one
   * would read and write most pages of a table that exceeds the server's memory.
   */
  @Override
  public int rowsOfFill() {
    return Integer.MAX_VALUE;
  }

  @Override
  public List<String> settle(String table) {
    return List.of("ANALYZE TABLE " + table);
  }

  @Override
  public void close() {
    server.close();
  }
}
