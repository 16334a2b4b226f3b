package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** PostgreSQL, durable, with the memory of a small server of its own. */
final class PostgresDatabase implements Database {

  private final LocalPostgres server = LocalPostgres.builder()
      .setting("shared_buffers", "1GB")
      .setting("max_wal_size", "8GB")
      .setting("checkpoint_timeout", "30min")
      .start();

  @Override
  public HikariDataSource pool(boolean autoCommit) {
    return Sql.pool(server.jdbcUrl(), server.username(), server.password(), autoCommit);
  }

  /** Returns the address for a driver. */
  String url() {
    return server.jdbcUrl();
  }

  String username() {
    return server.username();
  }

  String password() {
    return server.password();
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.of(server.pid());
  }

  @Override
  public String product() {
    return "PostgreSQL";
  }

  @Override
  public String settings() {
    return """
        SELECT name, current_setting(name) FROM pg_settings WHERE name IN ('fsync',
          'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'shared_buffers',
          'max_wal_size')
        ORDER BY name
        """;
  }

  @Override
  public Object bits(long high, long low) {
    return new UUID(high, low);
  }

  @Override
  public void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    ArraySql.insert(connection, table, columns, rows);
  }

  @Override
  public void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    Sql.finish(connection, table, keys, "CAST(? AS UUID[])");
  }

  @Override
  public String fill(String table, Columns columns, long from, long to) {
    return """
        INSERT INTO %s (%s)
        SELECT CAST(encode(substring(sha256(decode('%s', 'hex')
            || convert_to('%s' || lpad(CAST(i AS text), %d, '0'), 'UTF8')) FOR 16), 'hex') AS uuid),
          %s
        FROM generate_series(%d, %d) i
        """.formatted(
            table,
            columns.list(),
            Database.hashed(),
            Messages.KNOWN,
            Messages.DIGITS,
            Sql.typed(columns),
            from,
            to - 1);
  }

  @Override
  public List<String> settle(String table) {
    return List.of("VACUUM ANALYZE " + table, "CHECKPOINT");
  }

  @Override
  public void close() {
    server.close();
  }
}
