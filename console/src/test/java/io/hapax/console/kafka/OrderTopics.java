package io.hapax.console.kafka;

import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.console.operations.Deployment;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.operations.Broker;
import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;

/**
 * A topic of orders and its dead-letter topic on a local Kafka, new for each test, and the stopped
 * group that reads it.
 */
public final class OrderTopics {

  /** One broker for all tests of this JVM; it ends with the JVM. */
  public static final LocalKafka KAFKA = LocalKafka.start();

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String consumer;
  private final String group;
  private final String orders;
  private final String letters;

  public OrderTopics(String consumer) {
    int number = COUNT.incrementAndGet();
    this.consumer = consumer;
    this.group = consumer + "-" + number;
    this.orders = "orders-" + number;
    this.letters = orders + ".dead";
    KAFKA.createTopic(orders, 1);
    KAFKA.createTopic(letters, 1);
  }

  public String orders() {
    return orders;
  }

  public String letters() {
    return letters;
  }

  public Deployment deployment(DedupStore store) {
    return deployment(store, OrderMessages.IDS);
  }

  public Deployment deployment(DedupStore store, IdExtractor<ConsumerRecord<byte[], byte[]>> ids) {
    Broker broker = OrderMessages.broker(KAFKA, consumer, ids);
    return Deployment.of(consumer, store).with(broker, orders, group, letters);
  }

  /** Publishes an order, and returns its offset. */
  public long publish(String id) throws Exception {
    try (var producer = new KafkaProducer<byte[], byte[]>(OrderMessages.writing(KAFKA))) {
      return producer
          .send(OrderMessages.message(orders, id, "{}"))
          .get(30, TimeUnit.SECONDS)
          .offset();
    }
  }

  /** Dead-letters the order at an offset, as its consumer does. */
  public void deadLetter(long offset, String why) throws Exception {
    deadLetter(offset, DeadLetter.Kind.NOT_RETRYABLE, why);
  }

  /** Dead-letters the order at an offset for another reason. */
  public void deadLetter(long offset, DeadLetter.Kind kind, String why) throws Exception {
    ConsumerRecord<byte[], byte[]> order = read().get((int) offset);
    try (var publisher =
        KafkaDeadLetterPublisher.<byte[], byte[]>to(letters, OrderMessages.writing(KAFKA))) {
      publisher.publish(new DeadLetter<>(
          order, consumer, id(order), orders + "-0@" + offset, 3, kind, why, false));
    }
  }

  /** Returns the ids of the orders, in the order of the topic. */
  public List<String> ids() {
    return read().stream().map(OrderTopics::id).toList();
  }

  private static String id(ConsumerRecord<byte[], byte[]> order) {
    return new String(order.headers().lastHeader(OrderMessages.ID).value(), StandardCharsets.UTF_8);
  }

  private List<ConsumerRecord<byte[], byte[]>> read() {
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    try (var reader = reader()) {
      List<TopicPartition> all = List.of(partition());
      reader.assign(all);
      reader.seekToBeginning(all);
      long end = Objects.requireNonNull(reader.endOffsets(all).get(partition()));
      while (reader.position(partition()) < end) {
        reader.poll(Duration.ofSeconds(1)).forEach(read::add);
      }
    }
    return read;
  }

  /** Moves the group. */
  public void commit(long offset) {
    try (var reader = reader()) {
      reader.commitSync(Map.of(partition(), new OffsetAndMetadata(offset)));
    }
  }

  /** Returns where the group reads on. */
  public long committed() {
    try (var reader = reader()) {
      return Objects.requireNonNull(reader.committed(Set.of(partition())).get(partition()))
          .offset();
    }
  }

  private TopicPartition partition() {
    return new TopicPartition(orders, 0);
  }

  private KafkaConsumer<byte[], byte[]> reader() {
    return new KafkaConsumer<>(OrderMessages.reading(KAFKA, group));
  }
}
