package io.hapax.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.MarkRow.Columns;
import io.hapax.mark.MessageKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** A running database, with its dialect for all work outside of the store. */
abstract class Database implements AutoCloseable {

  /** The assignments that settle an open mark as done. */
  static final String FINISHED = " SET state = 3, until_us = until_us + 1, version = version + 1,"
      + " owner = NULL, coordinates = NULL, scope = NULL, message_id = NULL";

  private static final int CONNECTIONS = 64;

  /** Returns the address for a driver. */
  abstract String url();

  abstract String username();

  abstract String password();

  /** Opens a connection pool. */
  final HikariDataSource pool(boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setUsername(username());
    config.setPassword(password());
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** Returns a query of names and values for the settings that decide the speed. */
  abstract String settings();

  /**
   * Returns a query of names and numbers for the server's own counters; empty if there are none.
   */
  String counters() {
    return "";
  }

  /** Converts sixteen bytes to the type of the key's column. */
  Object bits(long high, long low) {
    return new UUID(high, low);
  }

  /** Returns the key as a parameter. */
  final Object key(MessageKey key) {
    return bits(key.high(), key.low());
  }

  /** Inserts all rows with one statement. */
  void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    insertValues(connection, table, columns, rows);
  }

  /** Inserts rows with one statement and one list of parameters for each row. */
  static void insertValues(
      Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    String values = String.join(", ", Collections.nCopies(rows.size(), columns.placeholders()));
    try (PreparedStatement insert = connection.prepareStatement(
        "INSERT INTO " + table + " (" + columns.list() + ") VALUES " + values)) {
      int next = 1;
      for (Object[] row : rows) {
        for (Object value : row) {
          insert.setObject(next++, value);
        }
      }
      expect(rows.size(), insert.executeUpdate());
    }
  }

  /** Makes the open marks of these keys DONE with one statement. */
  void finish(Connection connection, String table, List<Object> keys) throws SQLException {
    String which = keys.size() == 1 ? "k = ?" : "k = ANY(" + keyArray() + ")";
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE " + table + FINISHED + " WHERE " + which)) {
      if (keys.size() == 1) {
        update.setObject(1, keys.get(0));
      } else {
        update.setArray(1, connection.createArrayOf("UUID", keys.toArray(UUID[]::new)));
      }
      expect(keys.size(), update.executeUpdate());
    }
  }

  /** Returns the parameter for an array of keys. */
  String keyArray() {
    return "?";
  }

  static void expect(int wanted, int changed) {
    if (wanted != changed) {
      throw new IllegalStateException(changed + " rows were written but should be " + wanted);
    }
  }

  /**
   * Returns a statement that inserts one row for each known message of a range. It has the table,
   * the columns, the hashed prefix, the beginning and length of an id, the parameters of a row
   * without its key, and the range as arguments of a format.
   */
  abstract String fillFormat();

  /** Returns the parameter of a column in the fill statement. */
  String parameter(String type) {
    return "CAST(? AS " + type + ")";
  }

  /** Inserts the known messages of a range with the values of a row. */
  final void fill(Connection connection, String table, MarkRow row, long from, long to)
      throws SQLException {
    Columns columns = row.columns();
    String parameters =
        columns.types().stream().skip(1).map(this::parameter).collect(Collectors.joining(", "));
    try (PreparedStatement fill = connection.prepareStatement(fillFormat()
        .formatted(
            table,
            columns.list(),
            hashed(),
            Messages.KNOWN,
            Messages.DIGITS,
            parameters,
            from,
            to - 1))) {
      int next = 1;
      for (Object value : row.withoutKey()) {
        fill.setObject(next++, value);
      }
      expect((int) (to - from), fill.executeUpdate());
    }
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

  /** Reads the product's version and the settings. */
  final Map<String, String> described(Connection connection) throws SQLException {
    Map<String, String> described = new LinkedHashMap<>();
    described.put(
        connection.getMetaData().getDatabaseProductName(),
        connection.getMetaData().getDatabaseProductVersion());
    described.putAll(pairs(connection, settings()));
    return described;
  }

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
