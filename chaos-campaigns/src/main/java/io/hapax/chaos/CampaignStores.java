package io.hapax.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.Shop;
import io.hapax.demo.scene.Sql;
import io.hapax.servers.LocalDatabase;
import io.hapax.servers.LocalH2;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The shop's database of a run and the Redis servers of its marks, as the parent process sees them.
 * There is no Redis server if the marks are in the shop's database.
 *
 * <p>An H2 file without a server belongs to one process at a time. The parent opens it only while
 * no consumer runs, and the database engine dies with a killed consumer.
 */
final class CampaignStores implements AutoCloseable {

  /** The longest idle time of a transaction before the server ends it. */
  static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long TICK_MILLIS = 10;
  private static final String NAME = "shop";
  private static final int MASTERS = 3;

  private final CampaignStore kind;
  private final String url;
  private final Optional<LocalServer> shop;
  private final List<LocalRedis> redis;

  private CampaignStores(CampaignStore kind, String url, Optional<LocalServer> shop) {
    this.kind = kind;
    this.url = url;
    this.shop = shop;
    this.redis = switch (kind) {
      case REDIS -> List.of(LocalRedis.start());
      case REDIS_CLUSTER -> LocalRedisCluster.start(MASTERS).nodes();
      default -> List.of();
    };
  }

  static CampaignStores open(CampaignStore kind, Path folder) throws SQLException {
    CampaignStores stores = switch (kind.shop()) {
      case H2 -> new CampaignStores(kind, h2(folder), Optional.empty());
      case H2_SERVER -> {
        LocalH2 server = LocalH2.start();
        yield new CampaignStores(kind, server.jdbcUrl(NAME), Optional.of(server));
      }
      case MARIADB ->
        in(
            LocalMariaDb.start(),
            kind,
            "&sessionVariables=idle_transaction_timeout=" + IDLE_LIMIT.toSeconds());
      case POSTGRES, REDIS, REDIS_CLUSTER ->
        in(
            LocalPostgres.start(),
            kind,
            "&options=-c%20idle_in_transaction_session_timeout=" + IDLE_LIMIT.toMillis());
    };
    try (Connection connection = stores.connect()) {
      Shop.open(connection);
      return stores;
    } catch (SQLException e) {
      stores.close();
      throw e;
    }
  }

  /** Returns the URL of an H2 file. Without both settings a kill would lose the last commits. */
  private static String h2(Path folder) {
    return "jdbc:h2:file:" + folder.resolve(NAME).toAbsolutePath()
        + ";WRITE_DELAY=0;REUSE_SPACE=FALSE";
  }

  private static CampaignStores in(LocalDatabase server, CampaignStore kind, String options) {
    String url = server.createDatabase(NAME);
    String login = "user=" + server.username() + "&password=" + server.password();
    return new CampaignStores(
        kind, url + (url.contains("?") ? "&" : "?") + login + options, Optional.of(server));
  }

  String url() {
    return url;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  HikariDataSource pool(int connections, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(patience.toMillis());
    return new HikariDataSource(config);
  }

  MarkAddresses marks() {
    return new MarkAddresses(redis.stream().map(LocalRedis::uri).toList());
  }

  List<LocalServer> servers() {
    return redis.isEmpty() ? shop.stream().toList() : List.copyOf(redis);
  }

  /** Describes how commits become durable, as the database itself reports it. */
  String durability() throws SQLException {
    try (Connection connection = connect()) {
      String said = first(connection, kind.durability());
      return kind == CampaignStore.MARIADB
          ? said + ", through " + connection.getMetaData().getDriverName()
          : said;
    }
  }

  /** Describes the settings that make marks and rows durable. Nodes of a cluster have the same. */
  String durabilityWithMarks() throws SQLException {
    if (redis.isEmpty()) {
      return "marks and ledger in " + durability();
    }
    LocalRedis server = redis.get(0);
    return "marks in "
        + (redis.size() == 1 ? "Redis " : "a cluster of " + redis.size() + " Redis servers ")
        + version(server) + ", appendonly=" + setting(server, "appendonly") + ", appendfsync="
        + setting(server, "appendfsync") + "; ledger in " + durability();
  }

  private static String version(LocalRedis server) {
    return server
        .command("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("of unknown version");
  }

  private static String setting(LocalRedis server, String name) {
    return server.command("CONFIG", "GET", name).lines().skip(1).findFirst().orElse("unknown");
  }

  /**
   * Waits until the database executes nothing for this or any paused consumer, or until a killed
   * one is disconnected. A server continues to execute the requests of a killed process, for
   * example a commit, and keeps the connection until then.
   */
  void awaitQuiet(Optional<String> consumer, boolean killed)
      throws SQLException, InterruptedException {
    Optional<String> sessions = kind.otherSessions(!killed, consumer);
    if (sessions.isPresent()) {
      try (Connection connection = connect()) {
        await("active", () -> first(connection, sessions.get()).equals("0"));
      }
    }
    if (killed) {
      await("connected to Redis", () -> redis.stream().noneMatch(it -> isConnected(it, consumer)));
    }
  }

  private static String first(Connection connection, String query) throws SQLException {
    return Sql.rows(connection, query).get(0);
  }

  /** Returns whether a client with this name, or any other than the one that asks, is connected. */
  private static boolean isConnected(LocalRedis server, Optional<String> client) {
    String clients = server.command("CLIENT", "LIST", "TYPE", "normal");
    return client
        .map(name -> clients.contains(" name=" + name + ' '))
        .orElseGet(() -> clients.lines().filter(line -> line.startsWith("id=")).count() > 1);
  }

  private static void await(String state, Condition condition)
      throws SQLException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
        throw new IllegalStateException(
            "a consumer's session is still " + state + " after " + TIMEOUT.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  private interface Condition {
    boolean holds() throws SQLException;
  }

  @Override
  public void close() {
    redis.forEach(LocalRedis::close);
    shop.ifPresent(LocalServer::close);
  }
}
