package io.hapax.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.util.UUID;

/** Databases to test on. Each server is started once for this JVM, and each pool is small. */
final class Databases {

  private Databases() {}

  private static final class Postgres {
    static final LocalPostgres SERVER = LocalPostgres.start();
  }

  static HikariDataSource postgres() {
    return postgres(Postgres.SERVER, Postgres.SERVER.jdbcUrl());
  }

  static int postgresPort() {
    return URI.create(Postgres.SERVER.jdbcUrl().substring("jdbc:".length())).getPort();
  }

  /** The same server, at another port that leads to it; each COMMIT is sent as text. */
  static HikariDataSource postgresAt(int port) {
    String url = Postgres.SERVER.jdbcUrl().replace(":" + postgresPort(), ":" + port);
    return postgres(Postgres.SERVER, url + "?prepareThreshold=0");
  }

  /** Lends connections without autocommit, and with another isolation than the store's. */
  static HikariDataSource isolated(HikariDataSource plain, String isolation) {
    HikariConfig config = new HikariConfig();
    plain.copyStateTo(config);
    plain.close();
    config.setAutoCommit(false);
    config.setTransactionIsolation(isolation);
    return new HikariDataSource(config);
  }

  /** With a setting of each session. */
  static HikariDataSource postgresWith(String setting) {
    String url = Postgres.SERVER.jdbcUrl();
    return postgres(
        Postgres.SERVER, url + (url.contains("?") ? "&" : "?") + "options=-c%20" + setting);
  }

  static HikariDataSource postgres(LocalPostgres server, String url) {
    return pool(url, server.username(), server.password());
  }

  private static final class MariaDb {
    static final LocalMariaDb SERVER = LocalMariaDb.start();

    static {
      SERVER.createDatabase("marks");
    }
  }

  /** MariaDB through its own driver. */
  static HikariDataSource mariaDb() {
    return mariaDbWith("");
  }

  /** MariaDB through its own driver, with parameters behind the URL. */
  static HikariDataSource mariaDbWith(String parameters) {
    return mariaDb(MariaDb.SERVER, MariaDb.SERVER.jdbcUrl("marks") + parameters);
  }

  /** MariaDB through the driver of MySQL. */
  static HikariDataSource mysqlDriver() {
    return mysqlDriverWith("");
  }

  /** MariaDB through the driver of MySQL, with parameters behind the URL. */
  static HikariDataSource mysqlDriverWith(String parameters) {
    return mariaDb(MariaDb.SERVER, MariaDb.SERVER.mysqlUrl("marks") + parameters);
  }

  static int mariaDbPort() {
    return URI.create(MariaDb.SERVER.jdbcUrl("marks").substring("jdbc:".length()))
        .getPort();
  }

  /** The same server through its own driver, at another port that leads to it. */
  static HikariDataSource mariaDbAt(int port) {
    return mariaDb(MariaDb.SERVER, at(port, MariaDb.SERVER.jdbcUrl("marks")));
  }

  /** The same server through the driver of MySQL, which else encrypts, at another port. */
  static HikariDataSource mysqlDriverAt(int port) {
    return mariaDb(
        MariaDb.SERVER, at(port, MariaDb.SERVER.mysqlUrl("marks")) + "?sslMode=DISABLED");
  }

  private static String at(int port, String url) {
    return url.replace(":" + mariaDbPort() + "/", ":" + port + "/");
  }

  /** A database of its own, through MariaDB's driver. */
  static HikariDataSource mariaDbDatabase(String name) {
    return mariaDb(MariaDb.SERVER, MariaDb.SERVER.createDatabase(name));
  }

  /** A database of its own, through the driver of MySQL. */
  static HikariDataSource mysqlDriverDatabase(String name) {
    MariaDb.SERVER.createDatabase(name);
    return mariaDb(MariaDb.SERVER, MariaDb.SERVER.mysqlUrl(name));
  }

  static HikariDataSource mariaDb(LocalMariaDb server, String url) {
    return pool(url, server.username(), server.password());
  }

  static HikariDataSource h2InMemory() {
    return h2("jdbc:h2:mem:marks;DB_CLOSE_DELAY=-1");
  }

  static HikariDataSource h2File(Path directory, String settings) {
    return h2("jdbc:h2:file:" + directory.resolve("marks-" + UUID.randomUUID()) + settings);
  }

  static HikariDataSource h2(String url) {
    return pool(url, "sa", "");
  }

  private static HikariDataSource pool(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }
}
