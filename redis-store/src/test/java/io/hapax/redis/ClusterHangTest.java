package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRedisCluster;
import io.hapax.store.StoreLoss;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lets a master of a cluster hang: its connections stay open, and it accepts new ones. */
@Tag("nightly")
@Timeout(180)
class ClusterHangTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int VERBS = 20;

  private final List<StoreLoss> losses = new CopyOnWriteArrayList<>();
  private LocalRedisCluster cluster;
  private LocalRedis hung;

  @BeforeEach
  void start() {
    cluster = LocalRedisCluster.start(3);
    hung = Slots.withoutLayout(cluster);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private RedisDedupStore listening(RedisDedupStoreBuilder builder) {
    RedisDedupStore store = builder.commandTimeout(TIMEOUT).build();
    store.listen(Marks.onLoss(losses::add));
    return store;
  }

  /** Measures a number of verbs that do not use the hanging master. */
  private Duration timeOfOthers(RedisDedupStore store, String prefix) {
    List<List<ClaimRequest>> calls = IntStream.range(0, VERBS)
        .mapToObj(i -> Marks.requests(prefix + i + '-', 30).stream()
            .filter(request -> Slots.nodeOf(request, cluster) != hung)
            .toList())
        .toList();
    long begin = System.nanoTime();
    for (List<ClaimRequest> requests : calls) {
      assertThat(store.claim(requests, Marks.LEASE)).hasOnlyElementsOfType(Acquired.class);
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private void restartHung() {
    hung.kill();
    hung.restart();
  }

  /**
   * Checks one report, and none about other masters. A shard of the master may also have lost its
   * canary: it was written just before the kill, and had not reached the file.
   */
  private void assertRestartWasTold() {
    assertThat(losses)
        .filteredOn(loss -> loss.extent() == StoreLoss.Extent.LATEST)
        .containsExactly(
            new StoreLoss("shards of 127.0.0.1:" + hung.port(), StoreLoss.Extent.LATEST));
    assertThat(losses)
        .filteredOn(loss -> loss.extent() == StoreLoss.Extent.EVERYTHING)
        .allSatisfy(loss -> assertThat(isShardOfHung(loss.place())).isTrue());
  }

  private boolean isShardOfHung(String place) {
    int shard = Integer.parseInt(place.substring("shard ".length()));
    return Slots.nodeOf(Slots.slotOf(shard), cluster) == hung;
  }

  /** The hang is no loss and delays others only once; the restart after it is reported. */
  private void assertRestartIsToldAfterTheHang(RedisDedupStore store) {
    assertThat(timeOfOthers(store, "others")).isLessThan(TIMEOUT.multipliedBy(VERBS / 2));
    hung.resume();
    Marks.claimWhenAllAnswer(store, Marks.requests("back", 60));
    assertThat(losses).isEmpty();

    restartHung();

    Marks.claimWhenAllAnswer(store, Marks.requests("restarted", 60));
    assertRestartWasTold();
  }

  @Test
  void a_store_opened_while_a_master_hangs_watches_that_master_later() {
    hung.pause();
    long begin = System.nanoTime();
    try (RedisDedupStore store = listening(RedisDedupStore.clusterBuilder(Servers.uris(cluster)))) {
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(45));
      assertRestartIsToldAfterTheHang(store);
    }
  }

  @Test
  void a_master_that_hangs_after_a_reconnect_delays_others_only_once() throws Exception {
    try (RedisClusterClient client = RedisClusterClient.create(Servers.uris(cluster));
        RedisDedupStore store = listening(RedisDedupStore.clusterBuilder(client))) {
      Marks.claimWhenAllAnswer(store, Marks.requests("before", 60));
      CountDownLatch connected = new CountDownLatch(1);
      client.addListener(onConnectionTo(hung, connected::countDown));
      hung.command("CLIENT", "KILL", "TYPE", "normal");
      assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();
      hung.pause();

      assertRestartIsToldAfterTheHang(store);
    }
  }

  @Test
  void watching_masters_waits_for_no_connection_to_one_that_hangs() {
    try (RedisClusterClient client = RedisClusterClient.create(Servers.uris(cluster));
        var connection = client.connect(ByteArrayCodec.INSTANCE)) {
      hung.pause();
      long begin = System.nanoTime();
      NodeRestarts restarts = NodeRestarts.of(client, connection, TIMEOUT);
      List<ServerChangeWatcher.Change> found = new ArrayList<>();
      for (int i = 0; i < VERBS; i++) {
        assertThat(restarts.mayHaveChanged()).isTrue();
        restarts.detect(found::add);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(TIMEOUT.multipliedBy(VERBS / 2));

      hung.resume();
      await().atMost(Duration.ofSeconds(60)).until(() -> {
        restarts.detect(found::add);
        return !restarts.mayHaveChanged();
      });
      assertThat(found).isEmpty();
      restartHung();
      await().atMost(Duration.ofSeconds(60)).until(() -> {
        restarts.detect(found::add);
        return !found.isEmpty();
      });
      assertThat(found)
          .extracting(change -> change.loss().place())
          .containsExactly("shards of 127.0.0.1:" + hung.port());
    }
  }

  private static RedisConnectionStateListener onConnectionTo(LocalRedis server, Runnable action) {
    return new RedisConnectionStateListener() {
      @Override
      public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        if (connection instanceof StatefulRedisConnection
            && ((InetSocketAddress) address).getPort() == server.port()) {
          action.run();
        }
      }
    };
  }
}
