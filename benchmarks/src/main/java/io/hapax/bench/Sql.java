package io.hapax.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The statements that the databases have in common. */
final class Sql {

  /** The assignments that settle an open mark as done. */
  static final String FINISHED = " SET state = 3, until_us = until_us + 1, version = version + 1,"
      + " owner = NULL, coordinates = NULL, scope = NULL, message_id = NULL";

  private static final int CONNECTIONS = 64;

  private Sql() {}

  static HikariDataSource pool(String url, String user, String password, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
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

  static void expect(int wanted, int changed) {
    if (wanted != changed) {
      throw new IllegalStateException(changed + " rows were written but should be " + wanted);
    }
  }

  /**
   * Settles the marks of these keys, which are sent as an array.
   *
   * @param array the array expression of the dialect, with a parameter
   */
  static void finish(Connection connection, String table, List<Object> keys, String array)
      throws SQLException {
    String which = keys.size() == 1 ? "k = ?" : "k = ANY(" + array + ")";
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

  /** Returns the typed parameters of a row in a fill statement. */
  static String typed(Columns columns) {
    return IntStream.range(1, columns.size())
        .mapToObj(i -> "CAST(? AS " + columns.types().get(i) + ")")
        .collect(Collectors.joining(", "));
  }
}
