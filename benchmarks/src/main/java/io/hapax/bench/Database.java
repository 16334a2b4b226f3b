package io.hapax.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.SqlRaw.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A running database, with its dialect for all work outside of the store. */
abstract class Database implements AutoCloseable {

  /** The beginning of a statement that settles open marks as done. */
  static final String FINISH = "UPDATE %s SET state = 3, until_us = until_us + 1,"
      + " version = version + 1, owner = NULL, coordinates = NULL, scope = NULL, message_id = NULL"
      + " WHERE k ";

  private static final int CONNECTIONS = 64;

  private final String url;
  private final String username;
  private final String password;

  Database(String url, String username, String password) {
    this.url = url;
    this.username = username;
    this.password = password;
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

  /** Returns the properties of a data source of Spring Boot. */
  final Map<String, Object> springProperties() {
    return Map.of(
        "spring.datasource.url", url,
        "spring.datasource.username", username,
        "spring.datasource.password", password);
  }

  /** Returns a query of names and values for the settings that decide the speed. */
  abstract String settings();

  Object bits(long high, long low) {
    return new UUID(high, low);
  }

  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    String row = "(" + placeholders(columns.names().size()) + ")";
    String values = String.join(", ", Collections.nCopies(rows.size(), row));
    try (PreparedStatement insert = connection.prepareStatement(
        "INSERT INTO " + table + " (" + columns.list() + ") VALUES " + values)) {
      setAll(insert, rows.stream().flatMap(Arrays::stream).toList());
      expect(rows.size(), insert.executeUpdate());
    }
  }

  /** Makes the open marks of these keys DONE with one statement. */
  void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(
        FINISH.formatted(table) + "IN (" + placeholders(keys.size()) + ")")) {
      setAll(update, keys);
      expect(keys.size(), update.executeUpdate());
    }
  }

  private static String placeholders(int number) {
    return String.join(", ", Collections.nCopies(number, "?"));
  }

  private static void setAll(PreparedStatement statement, List<Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, values.get(i));
    }
  }

  static void expect(int wanted, int changed) {
    if (wanted != changed) {
      throw new IllegalStateException(changed + " rows were written but should be " + wanted);
    }
  }

  /**
   * Returns a statement that inserts one row for each known message of a range. It has the table,
   * its columns, the hashed prefix, the beginning and length of an id, the columns without the key,
   * the table with the row that has their values, and the range as arguments of a format.
   */
  abstract String fillFormat();

  final void fill(
      Statement statement, String table, Columns columns, String template, long from, long to)
      throws SQLException {
    List<String> names = columns.names();
    String withoutKey = String.join(", ", names.subList(1, names.size()));
    String fill = fillFormat()
        .formatted(
            table,
            columns.list(),
            hashed(),
            Messages.KNOWN,
            Messages.DIGITS,
            withoutKey,
            template,
            from,
            to - 1);
    expect((int) (to - from), statement.executeUpdate(fill));
  }

  /**
   * Returns the prefix, in hexadecimal digits, that is hashed together with the id of a known
   * message.
   */
  private static String hashed() {
    String scope = HexFormat.of().formatHex(RespSocket.ascii(Messages.SCOPE));
    int idLength = Messages.KNOWN.length() + Messages.DIGITS;
    return "%08x%s%08x".formatted(Messages.SCOPE.length(), scope, idLength);
  }

  /** Returns the best number of rows for one fill statement. */
  int rowsOfFill() {
    return 250_000;
  }

  /** Returns statements that bring a filled table into the state of a table in use. */
  List<String> settle(String table) {
    return List.of("ANALYZE TABLE " + table);
  }

  @Override
  public abstract void close();

  /** Returns the names and values of a query in its order. */
  static Map<String, String> pairs(Connection connection, String query) throws SQLException {
    Map<String, String> pairs = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        pairs.put(rows.getString(1), rows.getString(2));
      }
    }
    return pairs;
  }
}
