package io.hapax.servers;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * Connects to a database server as its user with all privileges.
 *
 * @param driver the server's driver
 * @param url the URL of the database that each server has
 * @param nameAndPassword the user's name and its password
 * @param second the number that the driver's timeouts have for one second
 */
record SqlAccess(Driver driver, String url, String nameAndPassword, int second) {

  private static final int PROBE_SECONDS = 3;
  private static final int SILENCE_SECONDS = 30;

  /** Checks that the server answers, within a few seconds. */
  void probe() throws SQLException {
    try (Connection connection = connect(PROBE_SECONDS)) {
      if (!connection.isValid(1)) {
        throw new SQLException("the connection is not valid");
      }
    }
  }

  /**
   * Creates an empty database.
   *
   * @param quoted its name in the server's quotes
   * @throws LocalServerException if it exists, or the server does not answer for half a minute
   */
  void createDatabase(String quoted) {
    try (Connection connection = connect(SILENCE_SECONDS);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + quoted);
    } catch (SQLException e) {
      throw new LocalServerException("cannot create database " + quoted, e);
    }
  }

  private Connection connect(int patienceSeconds) throws SQLException {
    String patience = Integer.toString(patienceSeconds * second);
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", patience);
    properties.setProperty("socketTimeout", patience);
    properties.setProperty("user", nameAndPassword);
    properties.setProperty("password", nameAndPassword);
    Connection connection = driver.connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver does not know " + url);
    }
    return connection;
  }
}
