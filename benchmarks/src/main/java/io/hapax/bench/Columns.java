package io.hapax.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The columns of a table.
 *
 * @param names their names, in the table's order
 * @param types their types, as the driver reports them
 */
record Columns(List<String> names, List<String> types) {

  static Columns of(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      ResultSetMetaData meta = rows.getMetaData();
      List<String> names = new ArrayList<>();
      List<String> types = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        names.add(meta.getColumnName(i));
        types.add(meta.getColumnTypeName(i));
      }
      return new Columns(names, types);
    }
  }

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
