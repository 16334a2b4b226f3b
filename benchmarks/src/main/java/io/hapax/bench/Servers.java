package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The servers beside measured consumers, each from its first use on, all of them durable. */
final class Servers implements AutoCloseable {

  /** The table of consumers that keep their ids by hand. */
  static final String PROCESSED = "processed";

  /** Long, so that a busy machine does not end a run. */
  private static final Duration START = Duration.ofMinutes(3);

  private @Nullable LocalKafka kafka;
  private @Nullable RedisTarget redis;
  private @Nullable SqlTarget postgres;

  LocalKafka kafka() {
    LocalKafka open = kafka;
    if (open == null) {
      open = LocalKafka.builder()
          .jvmOption("-Xmx1g")
          .jvmOption("-XX:TieredStopAtLevel=4")
          .startTimeout(START)
          .start();
      kafka = open;
    }
    return open;
  }

  RedisTarget redis() {
    RedisTarget open = redis;
    if (open == null) {
      open = RedisTarget.strings();
      redis = open;
    }
    return open;
  }

  SqlTarget postgres() throws SQLException {
    SqlTarget open = postgres;
    if (open == null) {
      open = SqlTarget.on(new PostgresDatabase());
      postgres = open;
      open.execute("CREATE TABLE " + PROCESSED + " (message_id TEXT PRIMARY KEY)");
    }
    return open;
  }

  /** Starts both stores, so that no turn has to wait for them. */
  void start() throws SQLException {
    redis();
    postgres();
  }

  /**
   * Removes what the subjects before have written to tables, so that all begin with few marks, as
   * in the benchmark of the stores. In Redis marks are left: each subject has ids of its own, and
   * their number makes no difference.
   */
  void clear() throws SQLException {
    if (postgres != null) {
      postgres.fill(StoresCommand.KNOWN_AT_LEAST);
      postgres.execute("TRUNCATE TABLE " + PROCESSED);
    }
  }

  /** Returns version and settings of each store that was used. */
  Map<String, Map<String, String>> settings() throws SQLException {
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    if (redis != null) {
      settings.put("redis", redis.settings());
    }
    if (postgres != null) {
      settings.put("postgres", postgres.settings());
    }
    return settings;
  }

  @Override
  public void close() {
    if (postgres != null) {
      postgres.close();
    }
    if (redis != null) {
      redis.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }
}
