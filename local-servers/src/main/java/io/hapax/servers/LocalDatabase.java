package io.hapax.servers;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A real database server. It is durable: a committed row is on the disk. Its only user has all
 * privileges and a well-known password.
 */
public abstract class LocalDatabase extends LocalServer {

  private static final int PROBE_SECONDS = 3;
  private static final int SILENCE_SECONDS = 30;

  private final Dialect dialect;

  /**
   * The differences between servers for a client.
   *
   * @param url the beginning of its URLs
   * @param second the number that the driver's timeouts have for one second
   */
  record Dialect(
      Driver driver, String url, int second, String quote, String nameAndPassword, String own) {}

  LocalDatabase(String kind, Builder<?> builder, Dialect dialect) {
    super(kind, builder);
    this.dialect = dialect;
  }

  /** Returns the JDBC URL of a database. It never changes. */
  public final String jdbcUrl(String database) {
    return dialect.url + address() + '/' + database;
  }

  /** Returns the user's name. */
  public final String username() {
    return dialect.nameAndPassword;
  }

  /** Returns the user's password. */
  public final String password() {
    return dialect.nameAndPassword;
  }

  /**
   * Creates an empty database and returns its JDBC URL.
   *
   * @throws LocalServerException if a database of that name exists, or the server does not answer
   *     for half a minute
   */
  public final String createDatabase(String name) {
    String quoted =
        dialect.quote + name.replace(dialect.quote, dialect.quote.repeat(2)) + dialect.quote;
    try (Connection connection = connect(SILENCE_SECONDS);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + quoted);
    } catch (SQLException e) {
      throw new LocalServerException("cannot create database " + quoted, e);
    }
    return jdbcUrl(name);
  }

  @Override
  final void probe() throws SQLException {
    try (Connection connection = connect(PROBE_SECONDS)) {
      if (!connection.isValid(1)) {
        throw new SQLException("the connection is not valid");
      }
    }
  }

  private Connection connect(int patienceSeconds) throws SQLException {
    String patience = Integer.toString(patienceSeconds * dialect.second);
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", patience);
    properties.setProperty("socketTimeout", patience);
    properties.setProperty("user", username());
    properties.setProperty("password", password());
    String url = jdbcUrl(dialect.own);
    Connection connection = dialect.driver.connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver does not know " + url);
    }
    return connection;
  }
}
