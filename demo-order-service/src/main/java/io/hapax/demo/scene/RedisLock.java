package io.hapax.demo.scene;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/**
 * The lock that is often written by hand: {@code SET NX PX}, and a second key that remembers what
 * is done. It protects against duplicates as long as its owner is faster than its expiry. Nothing
 * renews it, and an owner does not notice that it has lost it.
 */
final class RedisLock implements AutoCloseable {

  private static final Duration EXPIRY = Duration.ofSeconds(2);

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;
  private final String prefix;

  /** Makes a lock. The prefix distinguishes its keys from those of other plays. */
  RedisLock(String uri, String prefix) {
    this.client = RedisClient.create(uri);
    this.connection = client.connect();
    this.redis = connection.sync();
    this.prefix = prefix;
  }

  boolean tryLock(String id) {
    return redis.set(prefix + ":lock:" + id, "locked", SetArgs.Builder.nx().px(EXPIRY)) != null;
  }

  void unlock(String id) {
    redis.del(prefix + ":lock:" + id);
  }

  boolean isDone(String id) {
    return redis.exists(prefix + ":done:" + id) > 0;
  }

  void markDone(String id) {
    redis.set(prefix + ":done:" + id, "done", SetArgs.Builder.ex(Duration.ofDays(1)));
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
