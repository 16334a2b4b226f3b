package io.hapax.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Connects anew each time, as {@link DriverManager} does by a URL alone. */
final class Unpooled extends BareDataSource {

  private final String url;

  Unpooled(String url) {
    this.url = url;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return DriverManager.getConnection(url);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }
}
