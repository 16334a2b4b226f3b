package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.MessageKey;
import io.hapax.servers.LocalRedis;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Checks how a receiver reacts when its Redis loses marks. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class ReceiverLossTest {

  private static final StoreLoss ALL = new StoreLoss("shard 0", StoreLoss.Extent.EVERYTHING);

  private final ConcurrentLinkedQueue<String> effects = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<StoreLoss> losses = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<MessageKey> lostMarks = new ConcurrentLinkedQueue<>();
  private LocalRedis redis;
  private RedisDedupStore store;

  @BeforeEach
  void start() {
    redis = LocalRedis.start();
    store = RedisDedupStore.builder(Servers.uri(redis)).build();
  }

  @AfterEach
  void close() {
    store.close();
    redis.close();
  }

  private IdempotentReceiver<String> receiver() {
    return IdempotentReceiver.<String>builder("orders")
        .id(message -> Optional.of(Bytes.utf8(message)))
        .noFingerprint()
        .listener(new ReceiverListener() {
          @Override
          public void onStoreDataLost(StoreLoss loss) {
            losses.add(loss);
          }

          @Override
          public void onMarkLost(MessageKey key, long token) {
            lostMarks.add(key);
          }
        })
        .leased(store, delivery -> {
          effects.add(delivery.message());
          if (delivery.message().equals("empties the server")) {
            redis.command("FLUSHALL");
          }
        });
  }

  private static void receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    assertThat(receiver.receive(incoming(messages), Duration.ofSeconds(30)))
        .allMatch(Outcome::mayAcknowledge);
  }

  private static List<Incoming<String>> incoming(String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], "lane", "at " + i, false))
        .toList();
  }

  @Test
  void a_repeat_after_a_loss_in_mid_run_is_preceded_by_the_event() throws Exception {
    try (IdempotentReceiver<String> receiver = receiver()) {
      receive(receiver, "a");
      receive(receiver, "empties the server", "b");
      assertThat(losses).isEmpty();
      assertThat(lostMarks).isNotEmpty();

      receive(receiver, "a", "b");

      assertThat(effects).containsExactly("a", "empties the server", "b", "a");
      assertThat(losses).containsExactly(ALL);
    }
  }

  @Test
  void a_lost_generation_is_not_mistaken_for_the_first_one() throws Exception {
    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));
    try (IdempotentReceiver<String> receiver = receiver()) {
      receive(receiver, "a");

      receive(receiver, "empties the server", "b"); // its own next claim detects the loss
      receiver.receive(incoming("c"), Duration.ofMillis(500));

      await()
          .atMost(Duration.ofSeconds(8)) // earlier than the next scheduled check
          .until(() -> !receiver.problems().isEmpty());
      assertThat(receiver.problems().toString())
          .contains("generation of consumer orders was 1 and is 0", "the store has lost it");
      assertThat(losses).containsExactly(ALL);
      assertThat(receiver.receive(incoming("d"), Duration.ofMillis(100)))
          .noneMatch(Outcome::mayAcknowledge);
    }
    assertThat(effects).doesNotContain("d");
  }

  @Test
  void evicted_keys_are_a_loss_and_a_problem() throws Exception {
    try (IdempotentReceiver<String> receiver = receiver()) {
      receive(receiver, "a");
      redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      redis.command("DEBUG", "POPULATE", "10000", "filler", "1000");
      redis.command("CONFIG", "SET", "maxmemory", "4mb");

      await().atMost(Duration.ofSeconds(45)).until(() -> {
        receiver.receive(incoming("b"), Duration.ofSeconds(30));
        return losses.stream().anyMatch(it -> it.extent() == StoreLoss.Extent.EVICTED);
      });

      assertThat(receiver.problems().toString())
          .contains("CONFIGURATION", "the store evicts keys (all shards)", "noeviction");
    }
  }

  @Test
  void each_open_receiver_is_notified_and_a_closed_one_is_not() throws Exception {
    IdempotentReceiver<String> closed = receiver();
    closed.close();
    try (IdempotentReceiver<String> first = receiver();
        IdempotentReceiver<String> second = receiver()) {
      redis.command("FLUSHALL");

      receive(first, "a");
      receive(second, "b");

      assertThat(losses).containsExactly(ALL, ALL);
    }
    Claim claim = Marks.claim(store, "c");
    redis.command("FLUSHALL");
    assertThat(Marks.claim(store, "d").token()).isGreaterThan(claim.token());
    assertThat(losses).hasSize(2);
  }
}
