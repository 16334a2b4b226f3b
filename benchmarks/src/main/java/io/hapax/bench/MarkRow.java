package io.hapax.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A row that the store wrote. The floor and the limit take their values from it.
 *
 * @param columns the columns of its table; key and nonce are first
 * @param values its values
 */
record MarkRow(Columns columns, List<Object> values) {

  /**
   * The columns of a table.
   *
   * @param names their names, in the table's order
   * @param types their types, as the driver reports them
   */
  record Columns(List<String> names, List<String> types) {

    int size() {
      return names.size();
    }

    String list() {
      return String.join(", ", names);
    }

    /** Returns the parameters of one row in an insert statement. */
    String placeholders() {
      return "(" + String.join(", ", Collections.nCopies(size(), "?")) + ")";
    }
  }

  static MarkRow read(Connection connection, String table, Object key) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT * FROM " + table + " WHERE k = ?")) {
      select.setObject(1, key);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        ResultSetMetaData meta = row.getMetaData();
        Columns columns = new Columns(new ArrayList<>(), new ArrayList<>());
        List<Object> values = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          columns.names().add(meta.getColumnName(i));
          columns.types().add(meta.getColumnTypeName(i));
          values.add(row.getObject(i));
        }
        return new MarkRow(columns, values);
      }
    }
  }

  /** Returns its values without the key. */
  List<Object> withoutKey() {
    return values.subList(1, values.size());
  }

  /** Returns the row of another message. */
  Object[] of(Object key, Object nonce) {
    Object[] row = values.toArray();
    row[0] = key;
    row[1] = nonce;
    return row;
  }
}
