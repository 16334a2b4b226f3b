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
import io.hapax.setting.Durations;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreListeners;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

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
  private final ScriptVerbs verbs;
  private final MarkLister listing;
  private final StoreListeners listeners;
  private volatile IntUnaryOperator purge;

  RedisDedupStore(Session session, RedisSettings settings, StoreListeners listeners) {
    this.listeners = listeners;
    this.session = session;
    this.settings = settings;
    this.verbs = new ScriptVerbs(session.executor());
    this.listing = new MarkLister(session.executor());
    this.purge = settings.layout() instanceof Layout.Compact compact
        ? new BucketPurge(session.executor(), compact)
        : limit -> 0;
  }

  /**
   * {@return a builder, with the defaults, of a store on one server, or on the master that
   * Sentinels name} The store creates the client and closes it.
   *
   * @param uri the server with user, password, TLS and database, as Lettuce defines them
   */
  public static RedisDedupStoreBuilder builder(RedisURI uri) {
    return new RedisDedupStoreBuilder(() -> Clients.standalone(uri));
  }

  /**
   * {@return a builder, with the defaults, of a store with the caller's client} The caller closes
   * the client.
   *
   * @param client a client that was created with its server's URI
   */
  public static RedisDedupStoreBuilder builder(RedisClient client) {
    return new RedisDedupStoreBuilder(
        () -> new Backend.Standalone(Clients.warnIfUnbounded(client), false));
  }

  /**
   * {@return a builder, with the defaults, of a store on a cluster} The store creates the client
   * and closes it.
   *
   * @param nodes some nodes of the cluster
   */
  public static RedisDedupStoreBuilder clusterBuilder(Collection<RedisURI> nodes) {
    return new RedisDedupStoreBuilder(() -> Clients.cluster(nodes));
  }

  /**
   * {@return a builder, with the defaults, of a store on a cluster with the caller's client} The
   * caller closes the client.
   *
   * @param client the client
   */
  public static RedisDedupStoreBuilder clusterBuilder(RedisClusterClient client) {
    return new RedisDedupStoreBuilder(
        () -> new Backend.Cluster(Clients.warnIfUnbounded(client), false));
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    if (requests.isEmpty()) {
      return List.of();
    }
    Duration life = Durations.positive("lease", lease);
    return listeners.call(StoreCall.Verb.CLAIM, requests.size(), () -> verbs.claim(requests, life));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    if (claims.isEmpty()) {
      return List.of();
    }
    Duration life = Durations.positive("lease", lease);
    return listeners.call(StoreCall.Verb.RENEW, claims.size(), () -> verbs.renew(claims, life));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.isEmpty()
        ? List.of()
        : listeners.call(
            StoreCall.Verb.SETTLE, settlements.size(), () -> verbs.settle(settlements));
  }

  @Override
  public Instant now(MessageKey key) {
    return listeners.call(StoreCall.Verb.NOW, 0, () -> verbs.now(key));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty()
        ? List.of()
        : listeners.call(StoreCall.Verb.FIND, keys.size(), () -> verbs.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return listeners.call(StoreCall.Verb.LIST, query.limit(), () -> listing.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return listeners.call(
        StoreCall.Verb.RESOLVE,
        1,
        () -> verbs.resolve(key, expectedToken, expectedState, resolution));
  }

  /**
   * Removes expired DONE marks. Does nothing unless the layout is
   * {@linkplain RedisDedupStoreBuilder#compact compact}, because the server removes each DONE mark
   * after its retention.
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
    return listeners.call(StoreCall.Verb.PURGE, limit, () -> purge.applyAsInt(limit));
  }

  /**
   * {@return a sentence, for people, for each setting of the servers with which a crash or a full
   * server may lose marks}
   *
   * <p>Costs no round trip: the answer is that of the moment in which the store was opened.
   */
  @Override
  public List<String> warnings() {
    return session.warnings();
  }

  @Override
  public Duration retention() {
    return settings.retention();
  }

  /**
   * Adds a listener. It is notified of calls that begin after this method returned, and when marks
   * were lost.
   *
   * <p>The first store writes a canary into each shard, and every claim reads it. A shard with
   * another canary has lost all its marks.
   */
  @Override
  public Registration listen(StoreListener listener) {
    return listeners.listen(listener);
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
}
