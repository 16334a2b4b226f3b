package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The servers beside measured consumers, each from its first use on, all of them durable. */
final class Servers implements AutoCloseable {

  /** The table of consumers that keep their ids by hand. */
  static final String PROCESSED = "processed";

  private @Nullable LocalKafka kafka;
  private @Nullable RedisTarget redis;
  private @Nullable SqlTarget postgres;

  LocalKafka kafka() {
    LocalKafka open = kafka;
    if (open == null) {
      open = LocalKafka.builder()
          .jvmOption("-Xmx1g")
          .jvmOption("-XX:TieredStopAtLevel=4")
          .start();
      kafka = open;
    }
    return open;
  }

  RedisTarget redis() {
    RedisTarget open = redis;
    if (open == null) {
      open = RedisTarget.start(false);
      redis = open;
    }
    return open;
  }

  SqlTarget postgres() throws SQLException {
    SqlTarget open = postgres;
    if (open == null) {
      open = SqlTarget.on(PostgresDatabase.start());
      postgres = open;
      open.execute("CREATE TABLE " + PROCESSED + " (message_id TEXT PRIMARY KEY)");
    }
    return open;
  }

  /** Returns the target of Redis or of PostgreSQL. */
  BenchmarkTarget target(StoreKind kind) throws SQLException {
    return switch (kind) {
      case REDIS -> redis();
      case POSTGRES -> postgres();
      default -> throw new IllegalArgumentException(kind + " is no server beside consumers");
    };
  }

  /** Returns the store of Redis or of PostgreSQL, or a new one in memory. */
  DedupStore store(StoreKind kind) throws SQLException {
    return kind == StoreKind.MEMORY ? MemoryTarget.empty() : target(kind).store();
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

  /** Returns version and settings of each store that was used, one a line. */
  String settings() throws SQLException {
    return (redis == null ? "" : "  redis: " + redis.settings() + '\n')
        + (postgres == null ? "" : "  postgres: " + postgres.settings() + '\n');
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
