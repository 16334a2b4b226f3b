package io.hapax.demo;

import io.hapax.servers.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The database of a run, as its parent process sees it.
 *
 * <p>An H2 file belongs to one process at a time: the parent opens it only while no consumer runs,
 * and a killed consumer takes its database engine along.
 */
final class ShopDatabase implements AutoCloseable {

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
