package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.console.Marks;
import io.hapax.console.kafka.OrderMessages;
import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.operations.Broker;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A stopped consumer on a real broker and a real store, with completed messages, duplicates, dead
 * letters and a conflict. Some ids and errors contain scripts.
 */
final class Shop implements AutoCloseable {

  static final String CONSUMER = Marks.CONSUMER;
  static final String TOPIC = "orders";
  static final String LETTERS = "orders.dead";

  /** A text that runs a script if a page does not escape it. */
  static final String SCRIPT = "\"><img src=x onerror=\"window.hacked=1\">"
      + "<script>window.hacked=2</script>'+window.hacked=3+'${window.hacked=4}{{1}}";

  static final String RIGHT_TO_LEFT = "الطلب-١٧";
  static final String REVERSED = "order-\u202Egnp.exe";
  static final String EMOJI = "order-👩‍💻-🧾";
  static final String LONG = "x".repeat(10_000);
  static final List<String> HOSTILE = List.of(SCRIPT, RIGHT_TO_LEFT, REVERSED, EMOJI, LONG);

  private static final String PLACE = " at " + Shop.class.getName() + ".handle";

  /** The names of two groups of dead letters. */
  static final String REJECTED = RejectedMessageException.class.getName() + PLACE;

  static final String FAILED = IllegalArgumentException.class.getName() + PLACE;

  private static final int ORDERS = 40;
  private static final int COPIES = 10;
  private static final Duration ENDED = Duration.ofMillis(1);

  final DedupStore store;
  private final LocalKafka kafka = LocalKafka.start();
  private final LocalRedis redis = LocalRedis.start();
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();

  private Shop() {
    kafka.createTopic(TOPIC, 1);
    kafka.createTopic(LETTERS, 1);
    this.store = openStore();
    this.producer = new KafkaProducer<>(writing());
  }

  static Shop open() throws Exception {
    Shop shop = new Shop();
    shop.work();
    return shop;
  }

  DedupStore openStore() {
    return RedisDedupStore.builder(RedisURI.create(redis.uri())).build();
  }

  Broker broker() {
    return OrderMessages.broker(kafka, CONSUMER);
  }

  Map<String, Object> reading(String group) {
    return OrderMessages.reading(kafka, group);
  }

  private Map<String, Object> writing() {
    return OrderMessages.writing(kafka);
  }

  /** Publishes and handles all messages, and stops the group. */
  private void work() throws Exception {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 1; i <= ORDERS; i++) {
      records.add(order("order-" + i, "{\"id\":" + i + "}"));
    }
    for (int i = 1; i <= COPIES; i++) {
      records.add(order("order-" + i, "{\"id\":" + i + "}"));
    }
    for (int i = 1; i <= 6; i++) {
      records.add(order("rejected-" + i, "no such price"));
    }
    HOSTILE.forEach(id -> records.add(order(id, "hostile")));
    records.add(order("order-1", "another payload"));
    CountDownLatch left = new CountDownLatch(records.size());
    records.forEach(this::send);
    flush();
    try (var letters = KafkaDeadLetterPublisher.<byte[], byte[]>to(LETTERS, writing());
        var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder(CONSUMER)
            .id(OrderMessages.IDS)
            .fingerprint(KafkaFingerprints.value())
            .deadLetters(letters)
            .notRetryable(IllegalArgumentException.class::isInstance)
            .listener(counting(left))
            .leased(
                store,
                delivery ->
                    handle(new String(delivery.message().value(), StandardCharsets.UTF_8)));
        var service = KafkaReceiver.start(receiver, reading(CONSUMER), List.of(TOPIC))) {
      assertThat(left.await(60, TimeUnit.SECONDS)).as("%s are left", left).isTrue();
      assertThat(service.problems()).isEmpty();
    }
  }

  private static ReceiverListener counting(CountDownLatch left) {
    return new ReceiverListener() {
      @Override
      public void onOutcome(String coordinates, Outcome outcome) {
        if (!(outcome instanceof Outcome.Deferred)) {
          left.countDown();
        }
      }
    };
  }

  private static void handle(String payload) {
    if (payload.startsWith("no such")) {
      throw new RejectedMessageException(payload);
    } else if (payload.equals("hostile")) {
      throw new IllegalArgumentException(SCRIPT + "\n\t" + REVERSED);
    }
  }

  void createTopic(String name) {
    kafka.createTopic(name, 1);
  }

  /** Sends a message. {@link #flush} waits for the broker. */
  void send(String topic, String id) {
    send(OrderMessages.message(topic, id, "{}"));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    sent.add(producer.send(record));
  }

  void flush() {
    producer.flush();
    assertThat(sent).allSatisfy(it -> assertThat(it).succeedsWithin(Duration.ofSeconds(30)));
    sent.clear();
  }

  private static ProducerRecord<byte[], byte[]> order(String id, String payload) {
    return OrderMessages.message(TOPIC, id, payload);
  }

  /** Publishes a message whose consumer claims it and dies. */
  void lose(String id) {
    var unused = claim(id, ENDED);
  }

  /** Publishes a message whose handler fails and leaves its effect in doubt. */
  void doubt(String id) {
    Marks.inDoubt(store, List.of(late(id)));
  }

  /** Publishes a message and claims it. */
  Acquired claim(String id, Duration lease) {
    return (Acquired) store.claim(List.of(late(id)), lease).get(0);
  }

  private ClaimRequest late(String id) {
    send(order(id, "late"));
    flush();
    return Marks.request(id, TOPIC + "-0@" + (records() - 1));
  }

  Optional<Mark> mark(String id) {
    return store.find(List.of(MessageKey.of(CONSUMER, id))).get(0);
  }

  /** Returns the number of records of the topic, which includes those that were published again. */
  long records() {
    return records(TOPIC);
  }

  /** Returns the number of dead-letter records. */
  long letters() {
    return records(LETTERS);
  }

  private long records(String topic) {
    try (var consumer = new KafkaConsumer<byte[], byte[]>(reading(CONSUMER))) {
      var partition = new TopicPartition(topic, 0);
      return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
    }
  }

  @Override
  public void close() {
    producer.close();
    store.close();
    redis.close();
    kafka.close();
  }
}
