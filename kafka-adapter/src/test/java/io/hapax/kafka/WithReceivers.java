package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.MessageHandler;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** Receivers on the real broker that share a store, and what they did. */
abstract class WithReceivers {

  static final Duration BOUND = Duration.ofSeconds(30);

  private static final AtomicInteger GROUPS = new AtomicInteger();

  final String group = "orders-" + GROUPS.incrementAndGet();

  final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
  private volatile InstantSource time = InstantSource.system();
  final InstantSource clock = () -> time.instant().plus(skew.get());
  final InMemoryDedupStore store = new InMemoryDedupStore(clock, Duration.ofDays(8));
  final List<String> effects = new CopyOnWriteArrayList<>();
  final List<AutoCloseable> opened = new ArrayList<>();

  /** Is 0 once {@link #hold} has a message, which waits for {@link #goOn}. */
  final CountDownLatch running = new CountDownLatch(1);

  final CountDownLatch goOn = new CountDownLatch(1);

  /** Waits for {@link #BOUND} at most. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(BOUND);
  }

  @AfterEach
  void closeAll() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  void record(Delivery<ConsumerRecord<String, String>> delivery) {
    effects.add(delivery.message().value());
  }

  void hold(Delivery<ConsumerRecord<String, String>> delivery) throws InterruptedException {
    running.countDown();
    goOn.await();
    record(delivery);
  }

  void awaitRunning() throws InterruptedException {
    assertThat(running.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  ReceiverBuilder<ConsumerRecord<String, String>> builder() {
    return IdempotentReceiver.<ConsumerRecord<String, String>>builder("orders")
        .id(KafkaIds.key())
        .fingerprint(KafkaFingerprints.value())
        .lease(LeaseSettings.of(Duration.ofSeconds(3)))
        .retry(new RetrySettings(3, Duration.ofMillis(50), Duration.ofMillis(100)));
  }

  IdempotentReceiver<ConsumerRecord<String, String>> receiver(
      MessageHandler<ConsumerRecord<String, String>> handler) {
    return open(builder().leased(store, handler));
  }

  KafkaReceiver<String, String> start(
      String topic, MessageHandler<ConsumerRecord<String, String>> handler) {
    return start(topic, receiver(handler));
  }

  /** Starts a receiver whose consumer has settings beyond the usual ones. */
  KafkaReceiver<String, String> start(
      String topic,
      Map<String, Object> settings,
      MessageHandler<ConsumerRecord<String, String>> handler) {
    return open(KafkaReceiver.start(receiver(handler), with(settings), List.of(topic)));
  }

  Map<String, Object> with(Map<String, Object> settings) {
    return Broker.consumer(group, settings);
  }

  KafkaReceiver<String, String> start(
      String topic, IdempotentReceiver<ConsumerRecord<String, String>> receiver) {
    return open(KafkaReceiver.start(receiver, Broker.consumer(group), List.of(topic)));
  }

  /** Starts a receiver with a drain timeout. */
  KafkaReceiver<String, String> start(
      String topic,
      Duration drainTimeout,
      IdempotentReceiver<ConsumerRecord<String, String>> receiver) {
    return open(KafkaReceiver.builder(receiver, Broker.consumer(group))
        .topics(List.of(topic))
        .drainTimeout(drainTimeout)
        .start());
  }

  <A extends AutoCloseable> A open(A one) {
    opened.add(one);
    return one;
  }

  /** From now on no time passes for the store but the skew, and no lease runs out. */
  void stopClock() {
    time = InstantSource.fixed(Instant.now());
  }

  /** From now on the receivers find no memory in their calls to the store. */
  void exhaustMemory() {
    time = () -> {
      throw new OutOfMemoryError("Java heap space");
    };
  }

  void freeMemory() {
    time = InstantSource.system();
  }

  void claimedByForeigner(String id, Duration lease) {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", id),
            new Nonce(7, 7),
            Fingerprint.NONE,
            new Origin("somebody else", ""),
            new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
        lease);
  }

  static void sendSpread(String topic, List<String> texts) throws Exception {
    for (int partition = 0; partition < 4; partition++) {
      int own = partition;
      Broker.send(
          topic,
          partition,
          IntStream.range(0, texts.size())
              .filter(i -> i % 4 == own)
              .mapToObj(texts::get)
              .toArray(String[]::new));
    }
  }

  static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  void awaitCommitted(String topic, long offset) {
    awaitCommitted(topic, 0, offset);
  }

  void awaitCommitted(String topic, int partition, long offset) {
    awaitCommitted(topic, group, partition, offset);
  }

  static void awaitCommitted(String topic, String group, int partition, long offset) {
    await().until(() -> Broker.committed(group, topic, partition) == offset);
  }
}
