package io.hapax.redis;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreListeners;
import io.hapax.store.StoreVerb;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * A dedup store in Redis 6.2 or newer; leases follow the server's clock. {@link io.hapax.redis}
 * describes which failures can lose marks.
 *
 * <p>Every verb but {@link #list} costs one round trip, whatever the length of its list, plus one
 * if a server does not know the script yet. {@code list} costs one round trip for sixteen shards,
 * or more if a shard has many PROCESSING marks. DONE marks expire after the retention, so
 * {@link #purge} is optional. Open and dead marks have no expiry; they are kept until they are
 * settled or resolved.
 *
 * <p>If a reply is lost or late, the call throws a {@link io.hapax.store.StoreException}; if other
 * parts of the call were answered, the lost part is answered {@code Unavailable}. After a
 * reconnect, Lettuce may repeat a command. The answer is then the same, because each request
 * carries its nonce.
 */
public final class RedisDedupStore implements DedupStore, ListenableStore {

  private final Session session;
  private final RedisSettings settings;
  private final Verbs verbs;
  private final MarkLister listing;
  private final StoreListeners listeners;
  private volatile IntUnaryOperator purge;

  RedisDedupStore(Session session, RedisSettings settings, StoreListeners listeners) {
    this.listeners = listeners;
    this.session = session;
    this.settings = settings;
    this.verbs = new Verbs(session.executor());
    this.listing = new MarkLister(session.executor());
    this.purge = settings.layout() instanceof Layout.Compact compact
        ? new BucketPurge(session.executor(), compact)
        : limit -> 0;
  }

  /**
   * Starts the setup of a store on one server, or on the master that Sentinels name. The store
   * creates the client and closes it.
   *
   * @param uri the server with user, password, TLS and database, as Lettuce defines them
   * @return a builder with the defaults
   */
  public static Builder builder(RedisURI uri) {
    return new Builder(() -> Clients.standalone(uri));
  }

  /**
   * Starts the setup of a store with the caller's client. The caller closes the client.
   *
   * @param client a client that was created with its server's URI
   * @return a builder with the defaults
   */
  public static Builder builder(RedisClient client) {
    return new Builder(() -> new Backend.Standalone(Clients.warnIfUnbounded(client), false));
  }

  /**
   * Starts the setup of a store on a cluster. The store creates the client and closes it.
   *
   * @param nodes some nodes of the cluster
   * @return a builder with the defaults
   */
  public static Builder clusterBuilder(Collection<RedisURI> nodes) {
    return new Builder(() -> Clients.cluster(nodes));
  }

  /**
   * Starts the setup of a store on a cluster with the caller's client. The caller closes the
   * client.
   *
   * @param client the client
   * @return a builder with the defaults
   */
  public static Builder clusterBuilder(RedisClusterClient client) {
    return new Builder(() -> new Backend.Cluster(Clients.warnIfUnbounded(client), false));
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    if (requests.isEmpty()) {
      return List.of();
    }
    Duration life = positive(lease);
    return listeners.call(StoreVerb.CLAIM, requests.size(), () -> verbs.claim(requests, life));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    if (claims.isEmpty()) {
      return List.of();
    }
    Duration life = positive(lease);
    return listeners.call(StoreVerb.RENEW, claims.size(), () -> verbs.renew(claims, life));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.isEmpty()
        ? List.of()
        : listeners.call(StoreVerb.SETTLE, settlements.size(), () -> verbs.settle(settlements));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty()
        ? List.of()
        : listeners.call(StoreVerb.FIND, keys.size(), () -> verbs.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return listeners.call(StoreVerb.LIST, query.limit(), () -> listing.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return listeners.call(
        StoreVerb.RESOLVE, 1, () -> verbs.resolve(key, expectedToken, expectedState, resolution));
  }

  /**
   * Removes expired DONE marks. Does nothing unless the layout is {@linkplain Builder#compact
   * compact}, because the server removes each DONE mark after its retention.
   *
   * <p>In the compact layout an expired mark counts as absent at once. Its memory is freed by later
   * writes to its bucket, or with the bucket if nothing is written to it for longer than the
   * retention. This method frees the memory now. It checks every bucket once; a call costs a round
   * trip for each 32 buckets.
   */
  @Override
  public int purge(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + " but must be positive");
    }
    return listeners.call(StoreVerb.PURGE, limit, () -> purge.applyAsInt(limit));
  }

  @Override
  public Duration retention() {
    return settings.retention();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The first store writes a canary into each shard, and every claim reads it. A shard with
   * another canary has lost all its marks.
   */
  @Override
  public Registration listen(StoreListener listener) {
    return listeners.listen(listener);
  }

  private static Duration positive(Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("lease is " + lease + " but must be positive");
    }
    return lease;
  }

  /**
   * For tests: adds to the clock of leases and buckets, so that tests need not wait for the end of
   * a lease. The expiry of keys does not follow.
   */
  void setClock(Duration offset) {
    session.executor().setClockOffset(Micros.of(offset));
  }

  /** For tests that move the clock: replaces the expiry of keys in the server. */
  void setForgetting(IntUnaryOperator forgetting) {
    purge = forgetting;
  }

  /** Closes the store's connections, and its client if the store created it. */
  @Override
  public void close() {
    session.close();
  }

  /** Sets a store up. {@link #build()} checks the settings. */
  public static final class Builder {

    private final Supplier<Backend> backend;
    private String namespace = "hapax";
    private OptionalInt shards = OptionalInt.empty();
    private OptionalLong expectedMarks = OptionalLong.empty();
    private Duration retention = Duration.ofDays(8);
    private Duration commandTimeout = Duration.ofSeconds(3);
    private boolean strict;
    private int replicas;
    private Duration replicaTimeout = Duration.ofSeconds(1);

    private Builder(Supplier<Backend> backend) {
      this.backend = backend;
    }

    /**
     * Sets the prefix of every key, {@code hapax} by default. Each mark stores it, so each byte
     * counts.
     *
     * @param name letters, digits, underscores, dots, colons and hyphens
     * @return this
     */
    public Builder namespace(String name) {
      namespace = name;
      return this;
    }

    /**
     * Sets the number of hash tags that the marks are spread over, so that every node of a cluster
     * holds its part: by default 64 in a cluster, else 1. A script uses one shard, so many shards
     * need many scripts. All stores of a namespace must use the same number, and it cannot be
     * changed later.
     *
     * @param number 1 to {@value RedisSettings#MAX_SHARDS}
     * @return this
     */
    public Builder shards(int number) {
      shards = OptionalInt.of(number);
      return this;
    }

    /**
     * Stores DONE marks in buckets: less than 48 bytes for each instead of about 145, for a little
     * more processor time of the server. The parameter is the number of marks at one time, that is,
     * of messages completed within the retention. With several times as many, a mark costs as much
     * memory as without this setting.
     *
     * <p>It determines the number of buckets, so all stores of a namespace must use the same
     * number, and it cannot be changed later. All stores, including an operator's tools, must also
     * use the same {@link #retention(Duration) retention}: the first store writes it to Redis, and
     * a store with another one is refused. A DONE mark keeps only the last 32 bits of its claim's
     * nonce; {@link RedisDedupStore#find} returns these.
     *
     * @param marks 1 to 100,000,000,000
     * @return this
     */
    public Builder compact(long marks) {
      expectedMarks = OptionalLong.of(marks);
      return this;
    }

    /**
     * Sets how long a DONE mark is kept: the dedup window. Eight days by default.
     *
     * <p>With {@link #compact} all stores of a namespace must use the same retention. The key
     * {@code namespace:retention} stores it in milliseconds. To change it, stop all stores,
     * overwrite that key, and start them with the new retention. A longer one is safe, but results
     * of existing marks expire at their old time, and so do marks in buckets that are not written
     * to before. With a shorter one, marks are forgotten earlier.
     *
     * @param window longer than the broker can replay
     * @return this
     */
    public Builder retention(Duration window) {
      retention = window;
      return this;
    }

    /**
     * Sets how long a verb waits for its replies before it fails: three seconds by default. It
     * should be shorter than the safety margin at the end of a lease.
     *
     * @param timeout 1 ms to 5 minutes
     * @return this
     */
    public Builder commandTimeout(Duration timeout) {
      commandTimeout = timeout;
      return this;
    }

    /**
     * Refuses a server whose settings can lose marks (eviction, no persistence, a master that
     * continues without its replicas) or cannot be read. Without this, the store only logs a
     * warning.
     *
     * @return this
     */
    public Builder strict() {
      strict = true;
      return this;
    }

    /**
     * Answers a settlement or a {@link RedisDedupStore#resolve resolution} only when that many
     * replicas of its master have it, so that it survives a failover to one of them. Each call
     * waits once; in a cluster, it waits at all masters involved in parallel. If the replicas do
     * not have it in time, the call fails, although it may have been executed; the owner repeats a
     * settlement. No replicas by default.
     *
     * @param number how many replicas
     * @param timeout how long to wait for them
     * @return this
     */
    public Builder replicas(int number, Duration timeout) {
      replicas = number;
      replicaTimeout = timeout;
      return this;
    }

    /**
     * Connects, checks the server and creates the store.
     *
     * @return the store
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
     * other tools that only read. An empty Redis stays empty. The store compares the layout in
     * Redis with the settings as {@link #build()} does.
     *
     * <p>It needs permissions to read and to run scripts only. Verbs that would write, including
     * claims, throw an {@link UnsupportedOperationException}. It accepts no {@link StoreListener}.
     *
     * @return the store
     * @throws IllegalStateException as {@link #build()}
     * @throws io.hapax.store.StoreException as {@link #build()}
     */
    public DedupStore buildReadOnly() {
      return open((place, settings) ->
          new ReadOnlyRedisStore(Session.openToRead(place, settings), settings));
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
}
