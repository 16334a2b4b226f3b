package io.hapax.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** A row that the store wrote. The floor and the limit take their values from it. */
final class MarkRow {

  /** In the order of the columns; key and nonce are first. */
  private final Object[] values;

  private MarkRow(Object[] values) {
    this.values = values;
  }

  static MarkRow read(Connection connection, String table, Columns columns, Object key)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(
        "SELECT " + columns.list() + " FROM " + table + " WHERE k = ?")) {
      select.setObject(1, key);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        Object[] values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = row.getObject(i + 1);
        }
        return new MarkRow(values);
      }
    }
  }

  /** Returns its values without the key. */
  List<Object> withoutKey() {
    return Arrays.asList(values).subList(1, values.length);
  }

  /** Returns the row of another message. */
  Object[] of(Object key, Object nonce) {
    Object[] row = values.clone();
    row[0] = key;
    row[1] = nonce;
    return row;
  }
}
