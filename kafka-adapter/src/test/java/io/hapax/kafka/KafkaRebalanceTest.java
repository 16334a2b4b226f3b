package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Members come and go while handlers run, under each way of sharing partitions that Kafka has.
 *
 * <p>Some rebalances leave a member a part of its partitions; other libraries had bugs there. The
 * other bugs of the list in docs/verification/brokers.md have tests in other classes.
 */
@Timeout(180)
class KafkaRebalanceTest extends WithReceivers {

  private static final int PARTITIONS = 4;
  private static final int KEYS = 24;

  private final CountDownLatch never = new CountDownLatch(1);

  static Stream<Arguments> protocols() {
    return Stream.of(
        protocol("eager", Map.of("partition.assignment.strategy", RangeAssignor.class.getName())),
        protocol(
            "cooperative",
            Map.of(
                "partition.assignment.strategy",
                CooperativeStickyAssignor.class.getName(),
                "heartbeat.interval.ms", // a member learns of a rebalance by a heartbeat
                500)),
        protocol("KIP-848", Map.of("group.protocol", "consumer")));
  }

  /** The protocols that leave a member some of its partitions. */
  static Stream<Arguments> incremental() {
    return protocols().skip(1);
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
    CountDownLatch two = new CountDownLatch(2);
    Broker.send(topic, 0, "a", "b");
    Broker.send(topic, 1, "c", "d");
    IdempotentReceiver<ConsumerRecord<String, String>> slow =
        open(builder().workers(2).leased(store, delivery -> {
          two.countDown();
          hold(delivery);
        }));
    open(KafkaReceiver.builder(slow, with(settings))
        .topics(List.of(topic))
        .drainTimeout(Duration.ofMillis(100))
        .start());
    assertThat(two.await(60, TimeUnit.SECONDS)).isTrue();

    start(topic, settings, this::record);
    await().until(() -> Broker.owners(group).size() == 2);
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
    await().until(() -> effects.size() >= count);
  }

  @ParameterizedTest
  @MethodSource("incremental")
  void a_pause_is_neither_lost_nor_kept_across_a_rebalance(Map<String, Object> settings)
      throws Exception {
    String topic = Broker.topic(2);
    stopClock();
    claimedByForeigner("b", Duration.ofSeconds(5));
    Broker.send(topic, 0, "a", "b", "c");
    Broker.send(topic, 1, "x");
    KafkaReceiver<String, String> first = start(topic, settings, this::record);
    await().until(() -> first.problems().toString().contains("BUSY"));

    KafkaReceiver<String, String> second = start(topic, settings, this::record);
    await().until(() -> Broker.owners(group).size() == 2);
    Broker.send(topic, 1, "y");
    awaitCommitted(topic, 1, 2);
    skew.set(Duration.ofMinutes(1));
    awaitCommitted(topic, 0, 3);

    second.close();
    Broker.send(topic, 0, "d");
    Broker.send(topic, 1, "z");
    awaitCommitted(topic, 0, 4);
    awaitCommitted(topic, 1, 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d", "x", "y", "z");
  }

  @ParameterizedTest
  @MethodSource("incremental")
  void by_key_members_come_and_go_and_each_key_keeps_its_order(Map<String, Object> settings)
      throws Exception {
    String topic = Broker.topic(4);
    List<String> sent = new CopyOnWriteArrayList<>();
    AtomicBoolean ending = new AtomicBoolean();
    CompletableFuture<Void> sender =
        CompletableFuture.runAsync(() -> sendUntil(ending, topic, sent));
    try {
      KafkaReceiver<String, String> first = startByKey(topic, settings);
      await().until(() -> effects.size() >= 200);
      startByKey(topic, settings);
      awaitOwners(2);
      startByKey(topic, settings);
      awaitOwners(3);
      first.close();
      awaitOwners(2);
    } finally {
      ending.set(true);
    }
    sender.get(BOUND.toSeconds(), TimeUnit.SECONDS);

    await().until(() -> effects.size() == sent.size());
    for (int key = 0; key < KEYS; key++) {
      String prefix = "k" + key + "-";
      assertThat(effects.stream().filter(it -> it.startsWith(prefix)))
          .containsExactlyElementsOf(
              sent.stream().filter(it -> it.startsWith(prefix)).toList());
    }
    await().until(() -> committed(topic) == sent.size());
  }

  private static void sendUntil(AtomicBoolean ending, String topic, List<String> sent) {
    try {
      while (!ending.get()) {
        String value = "k" + sent.size() % KEYS + "-" + sent.size();
        Broker.send(new ProducerRecord<>(topic, key(value), value));
        sent.add(value);
      }
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private void awaitOwners(int count) {
    await().until(() -> Broker.owners(group).size() == count);
  }

  private long committed(String topic) throws Exception {
    long sum = 0;
    for (int partition = 0; partition < 4; partition++) {
      sum += Broker.committed(group, topic, partition);
    }
    return sum;
  }

  private KafkaReceiver<String, String> startByKey(String topic, Map<String, Object> settings) {
    IdempotentReceiver<ConsumerRecord<String, String>> receiver = open(builder()
        .id(record -> Optional.of(Bytes.utf8(record.value())))
        .leased(store, this::record));
    return open(KafkaReceiver.builder(receiver, with(settings))
        .topics(List.of(topic))
        .order(ProcessingOrder.KEY)
        .start());
  }

  private static String key(String value) {
    return value.substring(0, value.indexOf('-'));
  }
}
