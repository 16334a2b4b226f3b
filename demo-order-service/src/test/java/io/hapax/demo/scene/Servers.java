package io.hapax.demo.scene;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hapax.demo.BrokerKind;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalMariaDb;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Real servers. Each one starts when a test first asks for it. */
final class Servers implements AutoCloseable {

  private static final int MASTERS = 3;

  /** The marks: beside the shop in a database, or in Redis with the shop in PostgreSQL. */
  public enum Marks {
    H2,
    POSTGRES,
    MARIADB,
    REDIS,
    REDIS_CLUSTER
  }

  private final Map<String, AutoCloseable> running = new HashMap<>();
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

  /** Returns the servers of most tests: Kafka, and shop and marks in PostgreSQL. */
  public Stage stage() {
    return stage(BrokerKind.KAFKA, Marks.POSTGRES);
  }

  /** Returns a stage on these servers. */
  public Stage stage(BrokerKind broker, Marks marks) {
    return new Stage(
        broker,
        () -> address(broker),
        database(marks),
        one("marks in " + marks, () -> open(marks)),
        () -> open(marks));
  }

  private String address(BrokerKind broker) {
    return broker == BrokerKind.KAFKA
        ? kafka()
        : one("rocketmq", LocalRocketMq::start).nameServer();
  }

  /** Returns PostgreSQL with the shop's tables. */
  public DataSource postgres() {
    return database(Marks.POSTGRES);
  }

  /** Returns the address of a Redis server. */
  public String redis() {
    return one("redis", LocalRedis::start).uri();
  }

  /** Returns the address of Kafka. */
  public String kafka() {
    return one("kafka", LocalKafka::start).bootstrapServers();
  }

  private DedupStore open(Marks marks) {
    return switch (marks) {
      case REDIS -> RedisDedupStore.builder(RedisURI.create(redis())).build();
      case REDIS_CLUSTER ->
        RedisDedupStore.clusterBuilder(
                one("redis cluster", () -> LocalRedisCluster.start(MASTERS)).nodes().stream()
                    .map(node -> RedisURI.create(node.uri()))
                    .toList())
            .build();
      default -> JdbcDedupStore.builder(database(marks)).createIfAbsent().build();
    };
  }

  private DataSource database(Marks marks) {
    return switch (marks) {
      case H2 -> one("pool h2", () -> pool(h2Url(), "", "", 1));
      case MARIADB ->
        one("pool mariadb", () -> {
          LocalMariaDb server = one("mariadb", LocalMariaDb::start);
          return pool(server.createDatabase("shop"), server.username(), server.password(), 10);
        });
      case POSTGRES, REDIS, REDIS_CLUSTER ->
        one("pool postgres", () -> {
          LocalPostgres server = one("postgres", Servers::startPostgres);
          return pool(server.createDatabase("shop"), server.username(), server.password(), 10);
        });
    };
  }

  /** The setting permits two-phase commits, which PostgreSQL refuses by default. */
  private static LocalPostgres startPostgres() {
    return LocalPostgres.builder().setting("max_prepared_transactions", "5").start();
  }

  private static String h2Url() {
    try {
      return "jdbc:h2:file:" + Files.createTempDirectory("scenes").resolve("shop")
          + ";WRITE_DELAY=0;REUSE_SPACE=FALSE";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HikariDataSource pool(String url, String user, String password, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  @SuppressWarnings("unchecked") // each name has one type
  private synchronized <S extends AutoCloseable> S one(String name, Supplier<S> start) {
    AutoCloseable there = running.get(name);
    if (there == null) {
      there = start.get();
      running.put(name, there);
      toClose.push(there);
    }
    return (S) there;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable server : toClose) {
      server.close();
    }
  }
}
