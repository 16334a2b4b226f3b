package io.hapax.redis;

import io.hapax.mark.Nonce;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.testkit.RemoteStoreFixture;
import io.hapax.testkit.RestartableStoreFixture;
import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/** Two stores, each with a client of its own, in a new namespace. */
final class RedisFixture implements RemoteStoreFixture, RestartableStoreFixture {

  static final Duration RETENTION = Duration.ofDays(8);
  private static final long EXPECTED = 10_000;

  private final Deployment place;
  private final String namespace = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final RedisDedupStore store;
  private final RedisDedupStore other;
  private final boolean compact;
  private final List<RedisDedupStore> further = new ArrayList<>();
  private final List<Runnable> onClose = new ArrayList<>();
  private Duration offset = Duration.ZERO;
  private int kills;

  private RedisFixture(Deployment place, boolean compact) {
    this.place = place;
    this.compact = compact;
    this.store = open(place.builder());
    this.other = open(place.builder());
  }

  static RedisFixture at(Place place) {
    return new RedisFixture(place.deployment(), place.isCompact());
  }

  /** Also closes the server. */
  static RedisFixture onOwnServer(LocalRedis server, boolean compact) {
    return owning(new Deployment.Server(server), compact);
  }

  static RedisFixture onOwnCluster(LocalRedisCluster cluster) {
    return owning(Deployment.Cluster.of(cluster), false);
  }

  private static RedisFixture owning(Deployment place, boolean compact) {
    RedisFixture fixture = new RedisFixture(place, compact);
    fixture.onClose.add(place::close);
    return fixture;
  }

  private RedisDedupStore open(RedisDedupStoreBuilder builder) {
    builder.namespace(namespace).retention(RETENTION);
    return (compact ? builder.compact(EXPECTED) : builder).build();
  }

  @Override
  public RedisDedupStore store() {
    return store;
  }

  @Override
  public RedisDedupStore other() {
    return other;
  }

  @Override
  public List<Integer> ports() {
    return place.servers().stream().map(LocalRedis::port).toList();
  }

  @Override
  public RedisDedupStore through(FaultProxy proxy) {
    Deployment.Route route = place.through(proxy);
    onClose.add(route.onClose());
    RedisDedupStore opened = open(route.builder().commandTimeout(Duration.ofSeconds(1)));
    further.add(opened);
    setClock(opened);
    return opened;
  }

  /** Kills another server of a cluster each time. */
  @Override
  public void killServer() {
    kills++;
    killed().kill();
  }

  @Override
  public void restartServer() {
    killed().restart();
  }

  private LocalRedis killed() {
    return place.servers().get(kills % place.servers().size());
  }

  @Override
  public void advance(Duration by) {
    offset = offset.plus(by);
    opened().forEach(this::setClock);
  }

  private Stream<RedisDedupStore> opened() {
    return Stream.concat(Stream.of(store, other), further.stream());
  }

  private void setClock(RedisDedupStore opened) {
    opened.setClock(offset);
    if (!compact) {
      opened.setForgetting(ExpirySimulator.at(place.servers(), namespace, offset, RETENTION));
    }
  }

  /** Keeps the last 64 bits, or the last 32 in a bucket. */
  @Override
  public Nonce keptWhenDone(Nonce nonce) {
    return new Nonce(0, compact ? nonce.low() & 0xFFFF_FFFFL : nonce.low());
  }

  @Override
  public Duration retention() {
    return RETENTION;
  }

  @Override
  public void close() {
    opened().forEach(RedisDedupStore::close);
    onClose.forEach(Runnable::run);
  }

  /**
   * Replaces the expiry of DONE marks for a moved clock, which the expiry of keys does not follow.
   */
  static final class ExpirySimulator {

    private static final String SCRIPT = """
        local time = redis.call('TIME')
        local horizon = time[1] * 1000000 + time[2] + ARGV[1] - ARGV[2]
        local removed = 0
        local function number_at(bytes, at) return (struct.unpack('>I7', bytes, at)) end
        local function settled_at(mark)
          if #mark >= 40 then
            return number_at(mark, 26)
          end
          local after = string.sub(mark, 24)
          return number_at(mark, 1) + number_at(string.rep('\\0', 7 - #after) .. after, 1)
        end
        for _, key in ipairs(redis.call('KEYS', ARGV[3] .. '{*')) do
          if removed < tonumber(ARGV[4]) and redis.call('TYPE', key).ok == 'string' then
            local mark = redis.call('GET', key)
            if string.sub(key, -6) ~= 'canary' and settled_at(mark) < horizon then
              removed = removed + redis.call('DEL', key)
            end
          end
        end
        return removed
        """;

    private ExpirySimulator() {}

    static IntUnaryOperator at(
        List<LocalRedis> servers, String namespace, Duration offset, Duration retention) {
      return limit -> {
        int removed = 0;
        for (LocalRedis server : servers) {
          removed += Integer.parseInt(server.command(
              "EVAL",
              SCRIPT,
              "0",
              Long.toString(Micros.of(offset)),
              Long.toString(Micros.of(retention)),
              namespace,
              Integer.toString(limit - removed)));
        }
        return removed;
      };
    }
  }
}
