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
 * Marks in Redis 6.2 or newer, judged by the server's clock; {@link io.hapax.redis} says what they
 * are worth there.
 *
 * <p>Every verb but {@link #list} costs one round trip, whatever the length of its list, and one
 * more where a server does not know the script yet; {@code list} costs at most one for sixteen
 * shards. DONE marks end by themselves when their retention is over, so nobody needs
 * {@link #purge}. Open and dead marks stay until somebody settles or resolves them.
 *
 * <p>A reply that is lost or late is a {@link io.hapax.store.StoreException}, or the answer
 * {@code Unavailable} for that part of a call if other parts were answered. Lettuce may send a
 * command once more after a reconnect; every verb gives the same answer then, because the nonce
 * goes with it.
 */
public final class RedisDedupStore implements DedupStore, ListenableStore {

  private final Session session;
  private final RedisSettings settings;
  private final Verbs verbs;
  private final Listing listing;
  private final StoreListeners listeners;
  private volatile IntUnaryOperator purge;

  RedisDedupStore(Session session, RedisSettings settings, StoreListeners listeners) {
    this.listeners = listeners;
    this.session = session;
    this.settings = settings;
    this.verbs = new Verbs(session.executor());
    this.listing = new Listing(session.executor());
    this.purge = settings.layout() instanceof Layout.Compact compact
        ? new Purge(session.executor(), compact)
        : limit -> 0;
  }

  /**
   * Begins to set up a store on one server, or on the master that Sentinels name, with a client of
   * the store's own.
   *
   * @param uri where it is, with its user, password, TLS and database as Lettuce takes them
   * @return a builder with the defaults
   */
  public static Builder builder(RedisURI uri) {
    return new Builder(() -> Clients.standalone(uri));
  }

  /**
   * Begins to set up a store with the caller's client, which stays the caller's.
   *
   * @param client a client that was made with its server's URI
   * @return a builder with the defaults
   */
  public static Builder builder(RedisClient client) {
    return new Builder(() -> new Backend.Standalone(Clients.warned(client), false));
  }

  /**
   * Begins to set up a store on a cluster, with a client of the store's own.
   *
   * @param nodes some of its nodes
   * @return a builder with the defaults
   */
  public static Builder clusterBuilder(Collection<RedisURI> nodes) {
    return new Builder(() -> Clients.cluster(nodes));
  }

  /**
   * Begins to set up a store on a cluster with the caller's client, which stays the caller's.
   *
   * @param client the client
   * @return a builder with the defaults
   */
  public static Builder clusterBuilder(RedisClusterClient client) {
    return new Builder(() -> new Backend.Cluster(Clients.warned(client), false));
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
   * Has nothing to do unless the layout is {@linkplain Builder#compact compact}: the server forgets
   * a DONE mark by itself when its retention is over.
   *
   * <p>In the compact layout a mark past its retention counts as absent at once; its memory is
   * freed when others are written to its bucket, or with the bucket when nobody has written to it
   * for longer than the retention. This frees it now, by looking at every bucket once; a call costs
   * a round trip for each 32 buckets.
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
   * <p>Lost data is found by a canary that the first store writes into each shard, and that each
   * claim reads: a shard whose canary is another one has lost everything.
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
   * For tests: adds to the clock that leases and buckets are judged by, so that they do not wait
   * for leases to end. The lives of keys do not follow.
   */
  void setClock(Duration offset) {
    session.executor().setClockOffset(Micros.of(offset));
  }

  /** For tests that move the clock: a stand-in for the server's own forgetting of keys. */
  void setForgetting(IntUnaryOperator forgetting) {
    purge = forgetting;
  }

  /** Closes the store's connections, and its client if it made one. */
  @Override
  public void close() {
    session.close();
  }

  /** Sets a store up. Settings are checked by {@link #build()}. */
  public static final class Builder {

    private final Supplier<Backend> backend;
    private String namespace = "hapax";
    private OptionalInt shards = OptionalInt.empty();
    private OptionalLong expectedMarks = OptionalLong.empty();
    private Duration retention = Duration.ofDays(8);
    private Duration commandTimeout = Duration.ofSeconds(3);
    private boolean strict;
    private int replicas;
    private Duration replicaPatience = Duration.ofSeconds(1);

    private Builder(Supplier<Backend> backend) {
      this.backend = backend;
    }

    /**
     * What every key begins with; {@code hapax} by default. Each byte of it is kept with each mark.
     *
     * @param name letters, digits, underscores, dots, colons and hyphens
     * @return this
     */
    public Builder namespace(String name) {
      namespace = name;
      return this;
    }

    /**
     * Over how many hash tags the marks are spread, so that every node of a cluster gets its part:
     * 64 by default on a cluster, else 1. A script touches one shard, so many shards make many
     * scripts. All stores of a namespace must agree, for ever.
     *
     * @param number 1 to {@value RedisSettings#MAX_SHARDS}
     * @return this
     */
    public Builder shards(int number) {
      shards = OptionalInt.of(number);
      return this;
    }

    /**
     * Lays DONE marks out in buckets, which takes less than 48 bytes for each instead of about 145,
     * and a little more of the server's time. Say how many marks there will be at once, that is how
     * many messages are done within the retention: with several times as many, marks cost as much
     * as without this.
     *
     * <p>The number of buckets follows from that number; all stores of a namespace must agree, for
     * ever. They must have the same {@link #retention(Duration) retention} too, an operator's tool
     * included: the first store writes it down, and one with another is refused. A DONE mark keeps
     * the last 32 bits of its claim's nonce only, which is what {@link RedisDedupStore#find} shows
     * of it.
     *
     * @param marks 1 to 100,000,000,000
     * @return this
     */
    public Builder compact(long marks) {
      expectedMarks = OptionalLong.of(marks);
      return this;
    }

    /**
     * How long a DONE mark stays: the window in which a duplicate is known. Eight days by default.
     *
     * <p>With {@link #compact} all stores of a namespace must have the same. It is written down
     * under the key {@code namespace:retention}, in milliseconds. To change it, stop all of them,
     * overwrite that key and start them with the new one: a longer one is safe, though results of
     * marks that stand already go at their old time, and so do the marks if nobody writes to their
     * bucket before that; with a shorter one marks are forgotten earlier.
     *
     * @param window longer than the broker can replay
     * @return this
     */
    public Builder retention(Duration window) {
      retention = window;
      return this;
    }

    /**
     * How long a verb waits for its replies before it fails. Three seconds by default; keep it
     * shorter than the margin at the end of a lease.
     *
     * @param timeout the time-out
     * @return this
     */
    public Builder commandTimeout(Duration timeout) {
      commandTimeout = timeout;
      return this;
    }

    /**
     * Refuses a server whose settings let it forget marks (eviction, no persistence, a master that
     * goes on without its replicas) or may not be read. Without this they are warned of only.
     *
     * @return this
     */
    public Builder strict() {
      strict = true;
      return this;
    }

    /**
     * Answers a settlement, and a {@link RedisDedupStore#resolve resolution}, only when that many
     * replicas of its master have it, so that a failover to one of them keeps it; one wait for each
     * call, in a cluster one at each master concerned, all at once. If they have not got it in
     * time, the call fails although it may have been executed; a settlement is sent again by its
     * owner. None by default.
     *
     * @param number how many replicas
     * @param patience how long to wait for them
     * @return this
     */
    public Builder replicas(int number, Duration patience) {
      replicas = number;
      replicaPatience = patience;
      return this;
    }

    /**
     * Connects, looks the server over and makes the store.
     *
     * @return the store
     * @throws IllegalStateException if it is {@link #strict()} and the server may forget marks; the
     *     message names the settings
     * @throws io.hapax.store.StoreException if the server does not answer, or the namespace holds
     *     marks that are laid out otherwise, or has another retention with {@link #compact}
     */
    public RedisDedupStore build() {
      return open((place, settings) -> {
        StoreListeners listeners = new StoreListeners();
        return new RedisDedupStore(Session.open(place, settings, listeners), settings, listeners);
      });
    }

    /**
     * Connects and makes a store that finds and lists marks and writes nothing at all, for audits
     * and other tools that only read: an empty Redis stays empty. The layout that Redis has is
     * compared with the settings as in {@link #build()}.
     *
     * <p>It needs rights to read and to run scripts only. Its verbs that would write, claims
     * included, throw an {@link UnsupportedOperationException}. It has no {@link StoreListener}.
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
        int tags = shards.orElse(place.usualShards());
        RedisSettings settings = new RedisSettings(
            namespace,
            tags,
            layout(tags),
            retention,
            commandTimeout,
            strict,
            replicas,
            replicaPatience);
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
