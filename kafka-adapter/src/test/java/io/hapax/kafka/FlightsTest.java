package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlightsTest {

  private static final int WINDOW = 500;

  private final List<Integer> claimed = new CopyOnWriteArrayList<>();

  @Test
  void small_windows_of_many_partitions_are_claimed_together() {
    submit(100, 3);

    assertThat(claimed).containsExactly(300);
  }

  @Test
  void a_claim_never_holds_more_than_one_window_however_many_partitions_are_ready() {
    submit(400, 3);

    assertThat(claimed).containsExactlyInAnyOrder(400, 400, 400);
  }

  private void submit(int records, int partitions) {
    try (IdempotentReceiver<ConsumerRecord<String, String>> receiver =
        IdempotentReceiver.<ConsumerRecord<String, String>>builder("orders")
            .noFingerprint()
            .id(KafkaIds.key())
            .leased(counting(), delivery -> {})) {
      Flights<String, String> flights = new Flights<>(receiver);
      List<PartitionTracker<String, String>> ready = IntStream.range(0, partitions)
          .mapToObj(partition -> polled(partition, records))
          .toList();

      flights.submit(ready, WINDOW, System.nanoTime());

      assertThat(flights.drain(ready, Duration.ofSeconds(30))).isTrue();
    }
  }

  private static PartitionTracker<String, String> polled(int partition, int records) {
    PartitionTracker<String, String> tracker =
        new PartitionTracker<>(new TopicPartition("orders", partition));
    tracker.polled(
        IntStream.range(0, records)
            .mapToObj(
                i -> new ConsumerRecord<>("orders", partition, i, partition + "-" + i, "value"))
            .toList(),
        Optional.empty());
    return tracker;
  }

  /** A store that notes how many claims came with each call; one asks for the time alone. */
  private DedupStore counting() {
    InMemoryDedupStore store = new InMemoryDedupStore();
    return (DedupStore) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {DedupStore.class}, (proxy, method, args) -> {
          if (method.getName().equals("claim") && ((List<?>) args[0]).size() > 1) {
            claimed.add(((List<?>) args[0]).size());
          }
          try {
            return method.invoke(store, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
