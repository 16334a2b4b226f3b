package io.hapax.bench;

import io.hapax.servers.LocalMariaDb;
import java.nio.ByteBuffer;

/** MariaDB, durable, with the memory of a small server of its own. */
final class MariaDbDatabase extends Database {

  private final LocalMariaDb server;

  private MariaDbDatabase(LocalMariaDb server) {
    super(server.createDatabase("bench"), server.username(), server.password());
    this.server = server;
  }

  static MariaDbDatabase start() {
    return new MariaDbDatabase(LocalMariaDb.builder()
        .setting("innodb_buffer_pool_size", "1G")
        .setting("innodb_log_file_size", "1G")
        .start());
  }

  @Override
  String settings() {
    return """
        SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit',
          'innodb_doublewrite', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'log_bin')
        """;
  }

  @Override
  Object bits(long high, long low) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
  }

  @Override
  String fillFormat() {
    return """
        INSERT INTO %s (%s)
        SELECT UNHEX(LEFT(SHA2(CONCAT(X'%s', '%s', LPAD(seq, %d, '0')), 256), 32)), %s
        FROM %s, seq_%d_to_%d
        ORDER BY 1
        """;
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
