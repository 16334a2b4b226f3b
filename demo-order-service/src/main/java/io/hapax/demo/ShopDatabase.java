package io.hapax.demo;

import io.hapax.servers.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The database of a run, as its parent process sees it.
 *
 * <p>An H2 file belongs to one process at a time: the parent opens it only while no consumer runs,
 * and a killed consumer takes its database engine along.
 */
final class ShopDatabase implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 10;

  private final StoreKind kind;
  private final String url;
  private final Optional<LocalPostgres> server;

  private ShopDatabase(StoreKind kind, String url, Optional<LocalPostgres> server) {
    this.kind = kind;
    this.url = url;
    this.server = server;
  }

  /** Starts the database with the shop's tables in it. */
  static ShopDatabase open(StoreKind kind, Path folder) throws SQLException {
    ShopDatabase database = kind == StoreKind.H2 ? h2(folder) : postgres();
    try (Connection connection = database.connect()) {
      Shop.open(connection);
      return database;
    } catch (SQLException e) {
      database.close();
      throw e;
    }
  }

  /** Without WRITE_DELAY=0 the last half second of commits would die with the process. */
  private static ShopDatabase h2(Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve("shop").toAbsolutePath() + ";WRITE_DELAY=0";
    return new ShopDatabase(StoreKind.H2, url, Optional.empty());
  }

  private static ShopDatabase postgres() {
    LocalPostgres server = LocalPostgres.start();
    String url = server.createDatabase("shop");
    String login = "user=" + server.username() + "&password=" + server.password();
    return new ShopDatabase(
        StoreKind.POSTGRES, url + (url.contains("?") ? "&" : "?") + login, Optional.of(server));
  }

  /** A JDBC URL that needs nothing else. */
  String url() {
    return url;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /** What keeps a committed row from being forgotten, as the database itself says. */
  String durability() throws SQLException {
    try (Connection connection = connect()) {
      return kind == StoreKind.H2
          ? "H2 file, WRITE_DELAY="
              + first(
                  connection,
                  "SELECT setting_value FROM information_schema.settings"
                      + " WHERE setting_name = 'WRITE_DELAY'")
          : "PostgreSQL, fsync=" + first(connection, "SHOW fsync") + ", synchronous_commit="
              + first(connection, "SHOW synchronous_commit");
    }
  }

  /**
   * Waits until no other session is left. A server goes on for a moment with what a killed process
   * had asked for, a commit for example; the engine of an H2 file dies with its process.
   *
   * @throws IllegalStateException if one is still there after half a minute
   */
  void awaitAlone() throws SQLException, InterruptedException {
    if (kind == StoreKind.H2) {
      return;
    }
    long begin = System.nanoTime();
    try (Connection connection = connect()) {
      while (!first(
              connection,
              "SELECT count(*) FROM pg_stat_activity"
                  + " WHERE datname = current_database() AND pid <> pg_backend_pid()")
          .equals("0")) {
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IllegalStateException(
              "a killed consumer's session is still there after " + PATIENCE.toSeconds() + " s");
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
    server.ifPresent(LocalPostgres::close);
  }
}
