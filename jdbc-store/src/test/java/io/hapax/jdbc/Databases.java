package io.hapax.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

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

  /** It syncs nothing to the disk, because it is never killed: with a sync each commit takes ms. */
  private static final class MariaDb {
    static final LocalMariaDb SERVER =
        LocalMariaDb.builder().setting("debug-no-sync", "ON").start();

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

  static HikariDataSource pool(DatabaseServer server, int port) {
    return pool(server.urlAt(port), server.user(), server.password());
  }

  /** One connection; a silent server, and one that cannot be connected to, are given up soon. */
  static HikariDataSource shortTimeoutPool(DatabaseServer server, int port) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.urlAt(port) + server.shortTimeouts());
    config.setUsername(server.user());
    config.setPassword(server.password());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(2000);
    config.setInitializationFailTimeout(30_000);
    config.setValidationTimeout(500);
    config.setExceptionOverride(new EvictsH2());
    return new HikariDataSource(config);
  }

  static DatabaseServer postgresServer() {
    return postgresServer(Postgres.SERVER);
  }

  static DatabaseServer postgresServer(LocalPostgres server) {
    return new DatabaseServer(
        server.jdbcUrl(),
        server.port(),
        server.username(),
        server.password(),
        "?socketTimeout=2&connectTimeout=2");
  }

  static DatabaseServer mariaDbServer() {
    return mariaDbServer(MariaDb.SERVER, MariaDb.SERVER.jdbcUrl("marks"));
  }

  static DatabaseServer mysqlDriverServer() {
    return mariaDbServer(MariaDb.SERVER, MariaDb.SERVER.mysqlUrl("marks"));
  }

  static DatabaseServer mariaDbServer(LocalMariaDb server, String url) {
    return new DatabaseServer(
        url,
        server.port(),
        server.username(),
        server.password(),
        (url.contains("?") ? "&" : "?") + "socketTimeout=2000&connectTimeout=2000");
  }

  private static final class H2 {
    static final Server SERVER = startH2();

    private static Server startH2() {
      try {
        return Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists")
            .start();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** H2 as a server in this JVM, its database in memory. */
  static DatabaseServer h2Server() {
    int port = H2.SERVER.getPort();
    return new DatabaseServer(
        "jdbc:h2:tcp://localhost:" + port + "/mem:remote;DB_CLOSE_DELAY=-1",
        port,
        "sa",
        "",
        ";NETWORK_TIMEOUT=2000");
  }

  private static HikariDataSource pool(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    config.setExceptionOverride(new EvictsH2());
    return new HikariDataSource(config);
  }

  /**
   * HikariCP does not know the error codes of H2's driver for a broken connection or a lost
   * session. A connection that is used more often than each half second is not checked either, so
   * the pool would lend it for ever.
   */
  private static final class EvictsH2 implements SQLExceptionOverride {

    private static final Set<String> BROKEN = Set.of("90067", "90121");

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
      @Nullable String state = failure.getSQLState();
      return state != null && BROKEN.contains(state)
          ? Override.MUST_EVICT
          : Override.CONTINUE_EVICT;
    }
  }
}
