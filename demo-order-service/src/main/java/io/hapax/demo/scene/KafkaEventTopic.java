package io.hapax.demo.scene;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.KafkaOrders;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.kafka.ProcessingOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topic of events on Kafka. The events of an order are spread over the partitions. */
public final class KafkaEventTopic implements EventTopic<ConsumerRecord<String, byte[]>> {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaEventTopic.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long BACKOFF_MILLIS = 200;

  private final String bootstrapServers;
  private final String name;
  private final KafkaProducer<String, byte[]> producer;

  private KafkaEventTopic(String bootstrapServers, String name) {
    this.bootstrapServers = bootstrapServers;
    this.name = name;
    this.producer = new KafkaProducer<>(
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  /** Creates a topic; see {@link EventBroker#create}. */
  public static EventTopic<?> create(String bootstrapServers, String name, int partitions)
      throws IOException, InterruptedException {
    try (Admin admin =
        Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      KafkaOrders.create(admin, name, partitions);
    }
    return new KafkaEventTopic(bootstrapServers, name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void send(List<OrderEvent> events) throws IOException, InterruptedException {
    List<Future<?>> sent = new ArrayList<>();
    for (OrderEvent event : events) {
      var record = new ProducerRecord<>(name, event.id(), event.toJson());
      record.headers().add(ID, event.id().getBytes(StandardCharsets.UTF_8));
      sent.add(producer.send(record));
    }
    for (Future<?> acknowledged : sent) {
      try {
        acknowledged.get();
      } catch (ExecutionException e) {
        throw new IOException("Kafka did not take an event of topic " + name, e);
      }
    }
  }

  @Override
  public ReceiverBuilder<ConsumerRecord<String, byte[]>> receiver() {
    return IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder(name)
        .id(KafkaIds.header(ID))
        .fingerprint(KafkaFingerprints.value());
  }

  @Override
  public OrderEvent event(ConsumerRecord<String, byte[]> message) {
    return OrderEvent.fromJson(message.value());
  }

  @Override
  public Subscription read(
      IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver, Member member) {
    KafkaReceiver<String, byte[]> reading = KafkaReceiver.builder(receiver, properties(member))
        .topics(List.of(name))
        .order(ProcessingOrder.NONE)
        .start();
    return () -> {
      reading.close();
      receiver.close();
    };
  }

  @Override
  public Subscription readNaively(NaiveHandler handler, Settled settled, Member member) {
    Map<String, Object> properties = properties(member);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    AtomicBoolean closed = new AtomicBoolean();
    Thread loop = new Thread(() -> pollUntil(closed, properties, handler, settled), "naive-loop");
    loop.start();
    return () -> {
      closed.set(true);
      try {
        loop.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /** Runs the usual loop: it polls a record, handles it, and commits its offset. */
  private void pollUntil(
      AtomicBoolean closed,
      Map<String, Object> properties,
      NaiveHandler handler,
      Settled settled) {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.subscribe(List.of(name));
      while (!closed.get()) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          handle(consumer, record, handler, settled);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void handle(
      KafkaConsumer<String, byte[]> consumer,
      ConsumerRecord<String, byte[]> record,
      NaiveHandler handler,
      Settled settled)
      throws InterruptedException {
    try {
      handler.handle(OrderEvent.fromJson(record.value()));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.debug("{} failed and is polled again", record.key(), e);
      TimeUnit.MILLISECONDS.sleep(BACKOFF_MILLIS);
      consumer.seek(new TopicPartition(record.topic(), record.partition()), record.offset());
      return;
    }
    settled.settled(record.topic() + '-' + record.partition() + '@' + record.offset());
    try {
      consumer.commitSync();
    } catch (CommitFailedException | RebalanceInProgressException e) {
      LOG.debug("{} belongs to another member by now", record.key(), e);
    }
  }

  /** One partition goes to the member whose name sorts first, because the range assignor sorts. */
  private Map<String, Object> properties(Member member) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, name);
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, member.name());
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, RangeAssignor.class.getName());
    properties.put(
        ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, (int) member.patience().toMillis());
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }

  @Override
  public void close() {
    producer.close();
  }
}
