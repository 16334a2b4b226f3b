package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import io.hapax.testkit.fault.Fault;
import io.hapax.testkit.fault.FaultProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Breaks a server, or the way to it, during calls. */
@Timeout(120)
class FaultTest {

  private final AtomicInteger losses = new AtomicInteger();
  private final AtomicInteger restarts = new AtomicInteger();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private LocalRedis redis;
  private RedisDedupStore store;

  @BeforeEach
  void start() {
    redis = LocalRedis.builder().setting("lua-time-limit", "100").start();
    store = open(redis.port());
  }

  @AfterEach
  void close() {
    thread.shutdownNow();
    store.close();
    redis.close();
  }

  private RedisDedupStore open(int port) {
    RedisDedupStore opened = RedisDedupStore.builder(Servers.uri(port)).build();
    opened.listen(Marks.onLoss(
        loss -> (loss.extent() == StoreLoss.Extent.LATEST ? restarts : losses).incrementAndGet()));
    return opened;
  }

  @Test
  void a_server_without_the_scripts_gets_their_texts_again() throws Exception {
    AtomicBoolean finished = new AtomicBoolean();
    AtomicInteger flushes = new AtomicInteger();
    Future<?> flushing = thread.submit(() -> {
      while (!finished.get()) {
        redis.command("SCRIPT", "FLUSH");
        flushes.incrementAndGet();
      }
    });
    for (int i = 0; i < 100 || (flushes.get() <= 10 && !flushing.isDone()); i++) {
      Marks.settleDone(store, Marks.claim(store, "m" + i));
    }
    finished.set(true);
    flushing.get(30, TimeUnit.SECONDS);

    assertThat(flushes).hasValueGreaterThan(10);
  }

  @Test
  void a_restart_is_noticed_if_the_server_was_busy_at_the_run_id_query() throws Exception {
    redis.kill();
    redis.restart();
    Future<?> hanging = Servers.hang(redis, thread);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThatThrownBy(
                () -> store.claim(List.of(Marks.request("m")), Marks.LEASE))
            .hasMessageContaining("BUSY"));
    redis.command("SCRIPT", "KILL");
    hanging.get(30, TimeUnit.SECONDS);

    Marks.untilAnswered(() -> store.claim(List.of(Marks.request("n")), Marks.LEASE));

    assertThat(restarts).hasValue(1);
  }

  @Test
  void a_clients_own_replay_after_a_cut_gives_the_same_answer() {
    FaultProxy proxy = FaultProxy.before(redis.port());
    try (RedisClient client = RedisClient.create(Servers.uri(proxy.port()));
        proxy;
        RedisDedupStore behind = RedisDedupStore.builder(client).build()) {
      Marks.claim(store, "so that the server knows the script");
      proxy.next(Fault.lostReply().inGoodOrder());

      ClaimAnswer answer =
          behind.claim(List.of(Marks.request("m")), Marks.LEASE).get(0);

      assertThat(proxy.hasStruck()).isTrue();
      assertThat(((Acquired) answer).kind()).isEqualTo(ClaimAnswer.Kind.RESENT);
    }
  }

  @Test
  void a_silent_connection_is_replaced_if_its_client_times_out_first() {
    FaultProxy proxy = FaultProxy.before(redis.port());
    RedisClient client = RedisClient.create(Servers.uri(proxy.port()));
    client.setOptions(ClientOptions.builder()
        .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(1)))
        .build());
    try (proxy;
        RedisDedupStore behind = RedisDedupStore.builder(client).build()) {
      Marks.claim(behind, "before");

      proxy.silence();

      List<ClaimRequest> requests = List.of(Marks.request("m"));
      assertThat(Marks.untilAnswered(() -> behind.claim(requests, Marks.LEASE)))
          .hasOnlyElementsOfType(Acquired.class);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void an_emptied_server_is_noticed_once_and_owners_write_their_marks_anew() {
    Claim done = Marks.claim(store, "done");
    Marks.settleDone(store, done);
    Claim held = Marks.claim(store, "held");

    redis.command("FLUSHALL");
    Claim again = Marks.claim(store, "done");
    store.claim(List.of(Marks.request("another")), Marks.LEASE);

    assertThat(losses).hasValue(1);
    assertThat(again.token()).isGreaterThan(done.token());
    assertThat(store.settle(List.of(Marks.done(held))))
        .containsExactly(new SettleAnswer.Settled(true));
    assertThat(store.settle(List.of(Marks.done(done))))
        .containsExactly(new SettleAnswer.Fenced(MarkState.PROCESSING));
  }

  @Test
  void a_server_that_is_emptied_again_and_again_is_noticed_each_time() {
    for (int i = 1; i <= 3; i++) {
      Marks.claim(store, "before " + i);
      redis.command("FLUSHALL");
      Marks.claim(store, "after " + i);

      assertThat(losses).hasValue(i);
    }
  }

  @Test
  void every_store_notices_that_the_server_was_emptied() {
    AtomicInteger others = new AtomicInteger();
    try (RedisDedupStore other =
        RedisDedupStore.builder(Servers.uri(redis.port())).build()) {
      other.listen(Marks.onLoss(loss -> others.incrementAndGet()));
      redis.command("FLUSHALL");
      Marks.claim(store, "a");
      Marks.claim(other, "b");

      assertThat(losses).hasValue(1);
      assertThat(others).hasValue(1);
    }
  }

  /**
   * With {@code everysec} Redis writes before it answers, except during a slow sync: then up to two
   * seconds of answered writes are only in its memory, and are lost with it.
   */
  @Test
  void written_marks_survive_a_kill_and_others_are_settled_again() throws Exception {
    redis.command("CONFIG", "SET", "appendfsync", "everysec");
    List<Settlement> written = new ArrayList<>();
    for (int round = 1_000; round < 1_021; round++) {
      written.addAll(settled(round));
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> redis.command("INFO", "persistence").contains("aof_buffer_length:0"));

    List<Settlement> answered = settledUntilKilled();
    redis.restart();

    assertThat(Marks.untilAnswered(() -> store.settle(written)))
        .hasSizeGreaterThan(4000)
        .containsOnly(new SettleAnswer.Settled(false));
    assertThat(store.claim(Marks.requests("r1000-", 200), Marks.LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(Marks.untilAnswered(() -> store.settle(answered)))
        .hasSameSizeAs(answered)
        .hasOnlyElementsOfType(SettleAnswer.Settled.class);
    assertThat(store.claim(Marks.requests("r0-", 200), Marks.LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    assertThat(restarts).hasValue(1);
  }

  /** Settles messages until the server is killed; returns the answered settlements. */
  private List<Settlement> settledUntilKilled() throws Exception {
    List<Settlement> answered = new ArrayList<>();
    AtomicInteger rounds = new AtomicInteger();
    Future<?> working = thread.submit(() -> {
      for (; true; rounds.incrementAndGet()) {
        answered.addAll(settled(rounds.get()));
      }
    });
    await().atMost(Duration.ofSeconds(60)).until(() -> rounds.get() > 20);
    redis.kill();
    assertThatThrownBy(() -> working.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StoreException.class);
    return answered;
  }

  /** Claims and settles a round of messages; returns the answered settlements. */
  private List<Settlement> settled(int round) {
    List<Settlement> settlements =
        store.claim(Marks.requests("r" + round + "-", 200), Marks.LEASE).stream()
            .filter(Acquired.class::isInstance)
            .map(answer -> Marks.done(Marks.claim(answer)))
            .toList();
    List<SettleAnswer> answers = store.settle(settlements);
    return IntStream.range(0, answers.size())
        .filter(i -> answers.get(i) instanceof SettleAnswer.Settled)
        .mapToObj(settlements::get)
        .toList();
  }

  @Test
  void a_restart_without_persistence_is_noticed() {
    try (LocalRedis forgetful = LocalRedis.builder().setting("appendonly", "no").start();
        RedisDedupStore there = open(forgetful.port())) {
      Marks.settleDone(there, Marks.claim(there, "m"));

      forgetful.kill();
      forgetful.restart();

      assertThat(Marks.untilAnswered(() -> there.claim(List.of(Marks.request("m")), Marks.LEASE)))
          .hasOnlyElementsOfType(Acquired.class);
      assertThat(losses).hasValue(1);
    }
  }
}
