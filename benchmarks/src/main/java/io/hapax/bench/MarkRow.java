package io.hapax.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A row that the store wrote. The floor and the limit take their values from it. Its first columns
 * are key and nonce.
 */
record MarkRow(Columns columns, List<Object> values) {

  /** The columns of a table in its order, with their types as the driver reports them. */
  record Columns(List<String> names, List<String> types) {

    String list() {
      return String.join(", ", names);
    }
  }

  /** Reads the only row of a table. */
  static MarkRow read(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM " + table)) {
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

  /** Returns the row of another message. */
  Object[] of(Object key, Object nonce) {
    Object[] row = values.toArray();
    row[0] = key;
    row[1] = nonce;
    return row;
  }
}
