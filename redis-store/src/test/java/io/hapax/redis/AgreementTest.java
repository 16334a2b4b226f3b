package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stores agree on the layout again after Redis has lost it together with the marks. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class AgreementTest {

  private final List<StoreLoss> losses = new CopyOnWriteArrayList<>();
  private LocalRedis redis;

  @BeforeEach
  void start() {
    redis = LocalRedis.start();
  }

  @AfterEach
  void close() {
    redis.close();
  }

  private RedisDedupStoreBuilder builder() {
    return RedisDedupStore.builder(Servers.uri(redis));
  }

  private RedisDedupStore listening(RedisDedupStore store) {
    store.listen(Marks.onLoss(losses::add));
    return store;
  }

  @Test
  void other_shards_are_refused_after_the_server_was_emptied_in_mid_run() {
    try (RedisDedupStore running = builder().build()) {
      Marks.settleDone(running, Marks.claim(running, "before"));
      redis.command("FLUSHALL");
      Marks.claim(running, "after");

      assertThatThrownBy(() -> builder().shards(2).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("shards=1'")
          .hasMessageContaining("shards=2'");
      Marks.settleDone(running, Marks.claim(running, "and on"));
    }
  }

  @Test
  void another_retention_is_refused_after_the_server_was_emptied() {
    RedisDedupStoreBuilder compact = builder().compact(10_000);
    try (RedisDedupStore running = compact.build()) {
      redis.command("FLUSHALL");
      Marks.claim(running, "after");

      assertThatThrownBy(() -> compact.retention(Duration.ofDays(1)).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("retention is PT24H but must be PT192H");
    }
  }

  @Test
  void a_store_that_finds_another_layout_claims_nothing_until_it_is_gone() {
    try (RedisDedupStore running = listening(builder().build())) {
      Marks.claim(running, "before");
      redis.command("FLUSHALL");
      builder().shards(2).build().close();

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> running.claim(List.of(Marks.request("m")), Marks.LEASE))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("laid out as 'version=2 marks=strings shards=2'");
      }
      assertThat(losses).hasSize(1);

      redis.command("FLUSHALL");
      assertThat(running.claim(List.of(Marks.request("m")), Marks.LEASE))
          .hasOnlyElementsOfType(Acquired.class);
      assertThat(losses).hasSize(2);
    }
  }

  @Test
  void a_loss_is_reported_before_any_claim_that_detects_it_returns() throws Exception {
    assertToldBeforeOthersComeBack(() -> redis.command("FLUSHALL"));
  }

  @Test
  void a_restart_is_reported_before_any_later_claim_returns() throws Exception {
    assertToldBeforeOthersComeBack(() -> {
      redis.kill();
      redis.restart();
    });
  }

  private void assertToldBeforeOthersComeBack(Runnable loss) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (RedisDedupStore store =
        builder().commandTimeout(Duration.ofSeconds(20)).build()) {
      Marks.claim(store, "before");
      store.listen(Marks.onLoss(it -> {
        telling.countDown();
        awaitBounded(mayEnd);
      }));
      loss.run();
      Future<?> first = threads.submit(
          () -> Marks.untilAnswered(() -> store.claim(List.of(Marks.request("a")), Marks.LEASE)));
      assertThat(telling.await(30, TimeUnit.SECONDS)).isTrue();

      Future<?> second =
          threads.submit(() -> store.claim(List.of(Marks.request("b")), Marks.LEASE));

      assertThatThrownBy(() -> second.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      mayEnd.countDown();
      first.get(30, TimeUnit.SECONDS);
      second.get(30, TimeUnit.SECONDS);
    } finally {
      mayEnd.countDown();
      threads.shutdownNow();
    }
  }

  private static void awaitBounded(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_listener_that_calls_the_store_itself_does_not_wait_for_itself() {
    try (RedisDedupStore store = builder().build()) {
      store.listen(Marks.onLoss(loss -> {
        losses.add(loss);
        Marks.claim(store, "by the listener " + losses.size());
      }));
      redis.command("FLUSHALL");

      Marks.untilAnswered(() -> Marks.claim(store, "m"));

      assertThat(losses).hasSize(1);
    }
  }
}
