package io.hapax.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Runs one statement on its own connection. */
final class Sql {

  private Sql() {}

  static Connection connect(LocalPostgres postgres, String url) throws SQLException {
    return DriverManager.getConnection(url, postgres.username(), postgres.password());
  }

  static void run(LocalPostgres postgres, String url, String sql) throws SQLException {
    try (Connection connection = connect(postgres, url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the first column of all rows. */
  static List<String> query(LocalPostgres postgres, String url, String sql) throws SQLException {
    try (Connection connection = connect(postgres, url)) {
      return query(connection, sql);
    }
  }

  static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
