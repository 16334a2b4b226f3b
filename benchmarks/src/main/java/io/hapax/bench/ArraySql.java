package io.hapax.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Multi-row statements of PostgreSQL, which send each column of a batch as an array. */
final class ArraySql {

  private ArraySql() {}

  static void insert(Connection connection, String table, Columns columns, List<Object[]> rows)
      throws SQLException {
    if (rows.size() == 1) {
      Sql.insertValues(connection, table, columns, rows);
      return;
    }
    String arrays = columns.types().stream()
        .map(type -> "CAST(? AS " + type + "[])")
        .collect(Collectors.joining(", "));
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " ("
        + columns.list() + ") SELECT * FROM unnest(" + arrays + ")")) {
      for (int i = 0; i < columns.size(); i++) {
        int column = i;
        Object[] values =
            rows.stream().map(row -> row[column]).toArray(length -> empty(rows, column, length));
        insert.setArray(i + 1, connection.createArrayOf(columns.types().get(i), values));
      }
      Sql.expect(rows.size(), insert.executeUpdate());
    }
  }

  /** Creates an array of the column's type, because drivers have fast paths for typed arrays. */
  private static Object[] empty(List<Object[]> rows, int column, int length) {
    Object value = rows.get(0)[column];
    return (Object[]) java.lang.reflect.Array.newInstance(
        value == null ? String.class : value.getClass(), length);
  }
}
