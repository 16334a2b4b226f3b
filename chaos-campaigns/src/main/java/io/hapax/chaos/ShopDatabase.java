package io.hapax.chaos;

import io.hapax.demo.Shop;
import io.hapax.servers.LocalH2;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The shop's database of a run, as the parent process sees it.
 *
 * <p>An H2 file without a server belongs to one process at a time. The parent opens it only while
 * no consumer runs, and the database engine dies with a killed consumer.
 */
final class ShopDatabase implements AutoCloseable {

  /** The longest idle time of a transaction before the server ends it. */
  static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 10;
  private static final String NAME = "shop";

  private final ShopKind kind;
  private final String url;
  private final Optional<LocalServer> server;

  private ShopDatabase(ShopKind kind, String url, Optional<LocalServer> server) {
    this.kind = kind;
    this.url = url;
    this.server = server;
  }

  /** Starts the database with the shop's tables. */
  static ShopDatabase open(ShopKind kind, Path folder) throws SQLException {
    ShopDatabase database = switch (kind) {
      case H2 -> h2(folder);
      case H2_SERVER -> h2Server();
      case POSTGRES -> postgres();
      case MARIADB -> mariaDb();
    };
    try (Connection connection = database.connect()) {
      Shop.open(connection);
      return database;
    } catch (SQLException e) {
      database.close();
      throw e;
    }
  }

  /** Opens an H2 file. Without both settings the last commits would be lost with the process. */
  private static ShopDatabase h2(Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve(NAME).toAbsolutePath()
        + ";WRITE_DELAY=0;REUSE_SPACE=FALSE";
    return new ShopDatabase(ShopKind.H2, url, Optional.empty());
  }

  private static ShopDatabase h2Server() {
    LocalH2 server = LocalH2.start();
    return new ShopDatabase(ShopKind.H2_SERVER, server.jdbcUrl(NAME), Optional.of(server));
  }

  private static ShopDatabase postgres() {
    LocalPostgres server = LocalPostgres.start();
    String url = withLogin(server.createDatabase(NAME), server.username(), server.password())
        + "&options=-c%20idle_in_transaction_session_timeout=" + IDLE_LIMIT.toMillis();
    return new ShopDatabase(ShopKind.POSTGRES, url, Optional.of(server));
  }

  private static ShopDatabase mariaDb() {
    LocalMariaDb server = LocalMariaDb.start();
    String url = withLogin(server.createDatabase(NAME), server.username(), server.password())
        + "&sessionVariables=idle_transaction_timeout=" + IDLE_LIMIT.toSeconds();
    return new ShopDatabase(ShopKind.MARIADB, url, Optional.of(server));
  }

  private static String withLogin(String url, String user, String password) {
    return url + (url.contains("?") ? "&" : "?") + "user=" + user + "&password=" + password;
  }

  /** Returns a JDBC URL that is complete. */
  String url() {
    return url;
  }

  /** Returns the server, or none for a file. */
  List<LocalServer> servers() {
    return server.stream().toList();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /**
   * Describes the settings that make committed rows durable, as the database itself reports them.
   */
  String durability() throws SQLException {
    try (Connection connection = connect()) {
      String said = first(connection, kind.durability());
      return kind == ShopKind.MARIADB
          ? said + ", through " + connection.getMetaData().getDriverName()
          : said;
    }
  }

  /**
   * Waits until no other session exists. A server continues to execute the requests of a killed
   * process, for example a commit. The engine of an H2 file dies with its process.
   *
   * @throws IllegalStateException if a session still exists after half a minute
   */
  void awaitDisconnected() throws SQLException, InterruptedException {
    awaitNone(kind.otherSessions());
  }

  /**
   * Waits until this consumer has no session. Requires a database that shows the names of sessions.
   *
   * @throws IllegalStateException if one still exists after half a minute
   */
  void awaitDisconnected(String consumer) throws SQLException, InterruptedException {
    awaitNone(kind.otherSessions().map(query -> query + named(consumer)));
  }

  /** Waits until the server executes no statement of this consumer. */
  void awaitQuiet(String consumer) throws SQLException, InterruptedException {
    awaitNone(kind.otherSessionsAtWork().map(query -> query + named(consumer)));
  }

  private static String named(String consumer) {
    return " AND application_name = '" + consumer + '\'';
  }

  /**
   * Waits until the server executes nothing for another session: the requests of a paused process
   * are done, and it sends no more.
   *
   * @throws IllegalStateException if a session is still active after half a minute
   */
  void awaitQuiet() throws SQLException, InterruptedException {
    awaitNone(kind.otherSessionsAtWork());
  }

  private void awaitNone(Optional<String> sessions) throws SQLException, InterruptedException {
    if (sessions.isEmpty()) {
      return;
    }
    long begin = System.nanoTime();
    try (Connection connection = connect()) {
      while (!first(connection, sessions.orElseThrow()).equals("0")) {
        if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new IllegalStateException(
              "a consumer's session is still active after " + TIMEOUT.toSeconds() + " s");
        }
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      }
    }
  }

  private static String first(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      return result.next() ? result.getString(1) : "unknown";
    }
  }

  @Override
  public void close() {
    server.ifPresent(LocalServer::close);
  }
}
