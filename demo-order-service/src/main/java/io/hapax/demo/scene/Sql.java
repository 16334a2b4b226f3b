package io.hapax.demo.scene;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Short statements, whose rows fit into memory. */
public final class Sql {

  private Sql() {}

  /** Creates an empty table, in place of one that an earlier play left behind. */
  public static void createAfresh(Connection connection, String table, String columns)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + table);
      statement.execute("CREATE TABLE " + table + " (" + columns + ")");
    }
  }

  public static int update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  /** Reads rows, with their columns separated by a space. */
  public static List<String> rows(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int column = 1; column <= columns; column++) {
          row.append(column == 1 ? "" : " ").append(result.getString(column));
        }
        rows.add(row.toString());
      }
      return rows;
    }
  }

  /** Reads one number: the first column of the first row, which must exist. */
  public static long number(Connection connection, String sql, Object... parameters)
      throws SQLException {
    List<String> rows = rows(connection, sql, parameters);
    if (rows.isEmpty()) {
      throw new SQLException("no row for: " + sql);
    }
    return Long.parseLong(rows.get(0));
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
