package io.hapax.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.SqlRaw.Columns;
import io.hapax.servers.LocalMariaDb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A running database, with its dialect for all work outside of the store.
 *
 * <p>{@code settings} is a query of names and values for the settings that decide the speed.
 */
class Database implements AutoCloseable {

  /** The beginning of a statement that settles open marks as done. */
  static final String FINISH = "UPDATE %s SET state = 3, until_us = until_us + 1,"
      + " version = version + 1, owner = NULL, coordinates = NULL, scope = NULL, message_id = NULL"
      + " WHERE k ";

  private static final int CONNECTIONS = 64;

  private final String url;
  private final String username;
  private final String password;
  private final String settings;
  private final Runnable end;

  Database(String url, String username, String password, String settings, Runnable end) {
    this.url = url;
    this.username = username;
    this.password = password;
    this.settings = settings;
    this.end = end;
  }

  /**
   * Starts H2 in a file inside this process. Each commit is written before it returns. Lists of
   * rows are faster here than arrays that must be cast and unnested.
   */
  static Database h2() throws IOException {
    Path folder = Files.createTempDirectory("hapax-bench-").toAbsolutePath();
    folder.toFile().deleteOnExit();
    folder.resolve("bench.mv.db").toFile().deleteOnExit();
    return new Database(
        "jdbc:h2:file:" + folder.resolve("bench") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE",
        "sa",
        "",
        """
        SELECT DISTINCT SETTING_NAME, SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS
        WHERE SETTING_NAME IN ('WRITE_DELAY', 'info.CACHE_MAX_SIZE')
        ORDER BY SETTING_NAME DESC
        """,
        () -> {});
  }

  /** Starts MariaDB, durable, with the memory of a small server of its own. */
  static Database mariaDb() {
    LocalMariaDb server = LocalMariaDb.builder()
        .setting("innodb_buffer_pool_size", "1G")
        .setting("innodb_log_file_size", "1G")
        .start();
    return new Database(
        server.createDatabase("bench"), server.username(), server.password(), """
        SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit',
          'innodb_doublewrite', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'log_bin')
        """, server::close) {
      @Override
      Object bits(long high, long low) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
      }
    };
  }

  final HikariDataSource pool(boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(username);
    config.setPassword(password);
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  final Map<String, Object> springProperties() {
    return Map.of(
        "spring.datasource.url", url,
        "spring.datasource.username", username,
        "spring.datasource.password", password);
  }

  final String settings(Connection connection) throws SQLException {
    StringBuilder text = new StringBuilder()
        .append(connection.getMetaData().getDatabaseProductName())
        .append(' ')
        .append(connection.getMetaData().getDatabaseProductVersion());
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(settings)) {
      while (rows.next()) {
        text.append(", ").append(rows.getString(1)).append(' ').append(rows.getString(2));
      }
    }
    return text.toString();
  }

  Object bits(long high, long low) {
    return new UUID(high, low);
  }

  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    String row = "(" + placeholders(columns.names().size()) + ")";
    String values = String.join(", ", Collections.nCopies(rows.size(), row));
    write(
        connection,
        "INSERT INTO " + table + " (" + columns.list() + ") VALUES " + values,
        rows.stream().flatMap(Arrays::stream).toList(),
        rows.size());
  }

  void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    String sql = FINISH.formatted(table) + "IN (" + placeholders(keys.size()) + ")";
    write(connection, sql, keys, keys.size());
  }

  private static String placeholders(int number) {
    return String.join(", ", Collections.nCopies(number, "?"));
  }

  private static void write(Connection connection, String sql, List<Object> values, int wanted)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
      expect(wanted, statement.executeUpdate());
    }
  }

  static void expect(int wanted, int changed) {
    if (wanted != changed) {
      throw new IllegalStateException(changed + " rows were written but should be " + wanted);
    }
  }

  /** Returns statements that bring a filled table into the state of a table in use. */
  List<String> settle(String table) {
    return List.of("ANALYZE TABLE " + table);
  }

  @Override
  public final void close() {
    end.run();
  }
}
