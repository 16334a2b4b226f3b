package io.hapax.bench;

import io.hapax.servers.LocalMariaDb;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** MariaDB, durable, with the memory of a small server of its own. */
final class MariaDbDatabase extends Database {

  private final LocalMariaDb server = LocalMariaDb.builder()
      .setting("innodb_buffer_pool_size", "1G")
      .setting("innodb_log_file_size", "1G")
      .start();
  private final String url = server.createDatabase("bench");

  @Override
  String url() {
    return url;
  }

  @Override
  String username() {
    return server.username();
  }

  @Override
  String password() {
    return server.password();
  }

  @Override
  String settings() {
    return """
        SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit',
          'innodb_doublewrite', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'log_bin')
        """;
  }

  @Override
  String counters() {
    return """
        SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_reads', 'Innodb_os_log_written',
          'Innodb_buffer_pool_pages_flushed', 'Innodb_buffer_pool_wait_free')
        """;
  }

  @Override
  Object bits(long high, long low) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
  }

  @Override
  void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    String list = String.join(", ", Collections.nCopies(keys.size(), "?"));
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE " + table + FINISHED + " WHERE k IN (" + list + ")")) {
      for (int i = 0; i < keys.size(); i++) {
        update.setObject(i + 1, keys.get(i));
      }
      expect(keys.size(), update.executeUpdate());
    }
  }

  @Override
  String fillFormat() {
    return """
        INSERT INTO %s (%s)
        SELECT UNHEX(LEFT(SHA2(CONCAT(X'%s', '%s', LPAD(seq, %d, '0')), 256), 32)), %s
        FROM seq_%d_to_%d
        ORDER BY 1
        """;
  }

  @Override
  String parameter(String type) {
    return "?";
  }

  /**
   * Returns one portion for all rows, in the order of their keys. With smaller portions, each one
   * would read and write most pages of a table that exceeds the server's memory.
   */
  @Override
  int rowsOfFill() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() {
    server.close();
  }
}
