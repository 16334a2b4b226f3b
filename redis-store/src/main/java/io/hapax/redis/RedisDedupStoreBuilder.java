package io.hapax.redis;

import io.hapax.store.DedupStore;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreListeners;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Sets up a {@link RedisDedupStore}. {@link #build()} checks the settings and connects. Not
 * thread-safe; a builder leaves nothing behind before {@code build()} or {@code buildReadOnly()}.
 */
public final class RedisDedupStoreBuilder {

  private final Supplier<Backend> backend;
  private String namespace = "hapax";
  private OptionalInt shards = OptionalInt.empty();
  private OptionalLong expectedMarks = OptionalLong.empty();
  private Duration retention = Duration.ofDays(8);
  private Duration commandTimeout = Duration.ofSeconds(3);
  private boolean strict;
  private int replicas;
  private Duration replicaTimeout = Duration.ofSeconds(1);

  RedisDedupStoreBuilder(Supplier<Backend> backend) {
    this.backend = backend;
  }

  /**
   * Sets the prefix of every key, {@code hapax} by default. Each mark stores it, so each byte
   * counts.
   *
   * @param name letters, digits, underscores, dots, colons and hyphens
   * @return this
   */
  public RedisDedupStoreBuilder namespace(String name) {
    namespace = name;
    return this;
  }

  /**
   * Sets the number of hash tags that the marks are spread over, so that every node of a cluster
   * holds its part: by default 64 in a cluster, else 1. A script uses one shard, so many shards
   * need many scripts. All stores of a namespace must use the same number, and it cannot be changed
   * later.
   *
   * @param number 1 to {@value RedisSettings#MAX_SHARDS}
   * @return this
   */
  public RedisDedupStoreBuilder shards(int number) {
    shards = OptionalInt.of(number);
    return this;
  }

  /**
   * Stores DONE marks in buckets: less than 48 bytes for each instead of about 145, for a little
   * more processor time of the server. The parameter is the number of marks at one time, that is,
   * of messages completed within the retention. With several times as many, a mark costs as much
   * memory as without this setting.
   *
   * <p>It determines the number of buckets, so all stores of a namespace must use the same number,
   * and it cannot be changed later. All stores, including an operator's tools, must also use the
   * same {@link #retention(Duration) retention}: the first store writes it to Redis, and a store
   * with another one is refused. A DONE mark keeps only the last 32 bits of its claim's nonce;
   * {@link RedisDedupStore#find} returns these.
   *
   * @param marks 1 to 100,000,000,000
   * @return this
   */
  public RedisDedupStoreBuilder compact(long marks) {
    expectedMarks = OptionalLong.of(marks);
    return this;
  }

  /**
   * Sets how long a DONE mark is kept: the dedup window. Eight days by default.
   *
   * <p>With {@link #compact} all stores of a namespace must use the same retention. The key
   * {@code namespace:retention} stores it in milliseconds. To change it, stop all stores, overwrite
   * that key, and start them with the new retention. A longer one is safe, but results of existing
   * marks expire at their old time, and so do marks in buckets that are not written to before. With
   * a shorter one, marks are forgotten earlier.
   *
   * @param window longer than the broker can replay
   * @return this
   */
  public RedisDedupStoreBuilder retention(Duration window) {
    retention = window;
    return this;
  }

  /**
   * Sets how long a verb waits for its replies before it fails: three seconds by default. It should
   * be shorter than the safety margin at the end of a lease.
   *
   * @param timeout 1 ms to 5 minutes
   * @return this
   */
  public RedisDedupStoreBuilder commandTimeout(Duration timeout) {
    commandTimeout = timeout;
    return this;
  }

  /**
   * Refuses a server whose settings can lose marks (eviction, no persistence, a master that
   * continues without its replicas) or cannot be read. Without this, the store only logs a warning.
   *
   * @return this
   */
  public RedisDedupStoreBuilder strict() {
    strict = true;
    return this;
  }

  /**
   * Answers a settlement or a {@link RedisDedupStore#resolve resolution} only when that many
   * replicas of its master have it, so that it survives a failover to one of them. Each call waits
   * once; in a cluster, it waits at all masters involved in parallel. If the replicas do not have
   * it in time, the call fails, although it may have been executed; the owner repeats a settlement.
   * No replicas by default.
   *
   * @param number how many replicas
   * @param timeout how long to wait for them
   * @return this
   */
  public RedisDedupStoreBuilder replicas(int number, Duration timeout) {
    replicas = number;
    replicaTimeout = timeout;
    return this;
  }

  /**
   * {@return the store, after it has connected and checked the server}
   *
   * @throws IllegalStateException if {@link #strict()} is set and the server may lose marks; the
   *     message names the settings
   * @throws io.hapax.store.StoreException if the server does not answer, or the namespace has
   *     another layout, or another retention with {@link #compact}
   */
  public RedisDedupStore build() {
    return open((place, settings) -> {
      StoreListeners listeners = new StoreListeners();
      return new RedisDedupStore(Session.open(place, settings, listeners), settings, listeners);
    });
  }

  /**
   * Connects and creates a store that finds and lists marks and writes nothing, for audits and
   * other tools that only read. An empty Redis stays empty. The store compares the layout in Redis
   * with the settings as {@link #build()} does.
   *
   * <p>It needs permissions to read and to run scripts only. Verbs that would write, including
   * claims, throw an {@link UnsupportedOperationException}. It accepts no {@link StoreListener}.
   *
   * @return the store
   * @throws IllegalStateException as {@link #build()}
   * @throws io.hapax.store.StoreException as {@link #build()}
   */
  public DedupStore buildReadOnly() {
    return open(
        (place, settings) -> new ReadOnlyRedisStore(Session.openToRead(place, settings), settings));
  }

  private <S> S open(BiFunction<Backend, RedisSettings, S> opening) {
    Backend place = backend.get();
    try {
      int tags = shards.orElse(place.defaultShards());
      RedisSettings settings = new RedisSettings(
          namespace,
          tags,
          layout(tags),
          retention,
          commandTimeout,
          strict,
          replicas,
          replicaTimeout);
      return opening.apply(place, settings);
    } catch (RuntimeException | Error e) {
      place.shutdown();
      throw e;
    }
  }

  private Layout layout(int tags) {
    return expectedMarks.isPresent()
        ? Layout.Compact.of(expectedMarks.getAsLong(), tags)
        : new Layout.Strings();
  }
}
