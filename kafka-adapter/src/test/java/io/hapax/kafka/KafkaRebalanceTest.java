package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Members come and go while handlers run, under each way of sharing partitions that Kafka has. */
@Timeout(180)
class KafkaRebalanceTest extends WithReceivers {

  private static final int PARTITIONS = 4;

  private final CountDownLatch never = new CountDownLatch(1);

  static Stream<Arguments> protocols() {
    return Stream.of(
        protocol("eager", Map.of("partition.assignment.strategy", RangeAssignor.class.getName())),
        protocol(
            "cooperative",
            Map.of("partition.assignment.strategy", CooperativeStickyAssignor.class.getName())),
        protocol("KIP-848", Map.of("group.protocol", "consumer")));
  }

  private static Arguments protocol(String name, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("max.poll.records", 20);
    return Arguments.of(Named.of(name, all));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void members_come_and_go_and_nothing_is_lost_or_done_twice(Map<String, Object> settings)
      throws Exception {
    String topic = Broker.topic(PARTITIONS);
    List<String> sent = IntStream.range(0, 1000).mapToObj(i -> "m" + i).toList();
    sendSpread(topic, sent);

    KafkaReceiver<String, String> first = start(topic, settings, this::work);
    awaitEffects(150);
    KafkaReceiver<String, String> second = start(topic, settings, this::work);
    awaitEffects(300);
    start(topic, settings, this::work);
    awaitEffects(450);
    first.close();
    awaitEffects(600);
    start(topic, settings, this::work);
    awaitEffects(750);
    second.close();

    for (int partition = 0; partition < PARTITIONS; partition++) {
      awaitCommitted(topic, partition, 250);
    }
    assertThat(effects).containsExactlyInAnyOrderElementsOf(sent);
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void a_handler_whose_partition_moved_finishes_and_is_not_repeated(Map<String, Object> settings)
      throws Exception {
    String topic = Broker.topic(2);
    stopClock();
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    Broker.send(topic, 0, "a", "b");
    Broker.send(topic, 1, "c", "d");
    IdempotentReceiver<ConsumerRecord<String, String>> slow =
        open(builder().workers(2).leased(store, delivery -> {
          running.countDown();
          goOn.await();
          record(delivery);
        }));
    open(KafkaReceiver.<String, String>builder(slow, with(settings))
        .topics(List.of(topic))
        .drainTimeout(Duration.ofMillis(100))
        .start());
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    start(topic, settings, this::record);
    await().atMost(BOUND).until(() -> Broker.owners(group).size() == 2);
    assertThat(effects).isEmpty();
    goOn.countDown();

    awaitCommitted(topic, 0, 2);
    awaitCommitted(topic, 1, 2);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(store.find(List.of(MessageKey.of("orders", "a"), MessageKey.of("orders", "c"))))
        .allSatisfy(mark -> assertThat(mark.orElseThrow().state()).isEqualTo(MarkState.DONE));
  }

  /** Takes some milliseconds, so that every rebalance meets messages that are under way. */
  private void work(Delivery<ConsumerRecord<String, String>> delivery) throws Exception {
    var unused = never.await(8, TimeUnit.MILLISECONDS);
    record(delivery);
  }

  private void awaitEffects(int count) {
    await().atMost(BOUND).until(() -> effects.size() >= count);
  }
}
