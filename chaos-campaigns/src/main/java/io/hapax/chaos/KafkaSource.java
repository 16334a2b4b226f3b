package io.hapax.chaos;

import io.hapax.IdExtractor;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderJson;
import io.hapax.kafka.KafkaDeadLetterPublisher;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.Fingerprint;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Orders from Kafka. */
final class KafkaSource implements OrderSource<ConsumerRecord<String, byte[]>> {

  /** Short, so that the partitions of a killed member do not wait long. */
  static final Duration SESSION = Duration.ofSeconds(3);

  static final int HEARTBEAT_MILLIS = 500;

  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

  private final String bootstrapServers;
  private final String group;
  private final GroupProtocol protocol;
  private final Reports reports;
  private Optional<KafkaDeadLetterPublisher<String, byte[]>> deadLetters = Optional.empty();

  KafkaSource(String bootstrapServers, String group, GroupProtocol protocol, Reports reports) {
    this.bootstrapServers = bootstrapServers;
    this.group = group;
    this.protocol = protocol;
    this.reports = reports;
  }

  @Override
  public ReceiverBuilder<ConsumerRecord<String, byte[]>> receiver(String name) {
    deadLetters = Optional.of(KafkaDeadLetterPublisher.to(
        KafkaDeadTopic.NAME,
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            StringSerializer.class,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class)));
    return IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder(name)
        .id(ids())
        .fingerprint(fingerprint())
        .deadLetters(deadLetters.orElseThrow());
  }

  /** Returns the extractor of an order's id. */
  static IdExtractor<ConsumerRecord<String, byte[]>> ids() {
    return KafkaIds.header(OrderChannel.ID);
  }

  /** Returns the fingerprint of an order. */
  static Function<ConsumerRecord<String, byte[]>, Fingerprint> fingerprint() {
    return KafkaFingerprints.value();
  }

  @Override
  public Order order(ConsumerRecord<String, byte[]> message) {
    return OrderJson.read(message.value());
  }

  @Override
  public void feed(IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver, ParentWatch parent)
      throws InterruptedException {
    try (KafkaReceiver<String, byte[]> orders =
        KafkaReceiver.start(receiver, properties(), List.of(OrderChannel.TOPIC))) {
      reports.ready();
      while (!parent.awaitStop(CHECK_INTERVAL)) {
        if (orders.state() == KafkaReceiver.State.DOWN) {
          throw new IllegalStateException(
              "the Kafka receiver is down", orders.failure().orElse(null));
        }
      }
    }
  }

  @Override
  public void close() {
    deadLetters.ifPresent(KafkaDeadLetterPublisher::close);
  }

  /** Polls, handles, and commits the offsets of the poll. */
  @Override
  public void feed(NaiveHandler handler, ParentWatch parent)
      throws SQLException, InterruptedException {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties())) {
      consumer.subscribe(List.of(OrderChannel.TOPIC));
      reports.ready();
      while (!parent.stopped()) {
        List<NaiveHandler.Received> batch = new ArrayList<>();
        consumer.poll(Duration.ofMillis(100)).forEach(record -> batch.add(received(record)));
        if (!batch.isEmpty()) {
          handler.handle(batch);
          consumer.commitSync();
          handler.acknowledged(batch);
        }
      }
    }
  }

  private NaiveHandler.Received received(ConsumerRecord<String, byte[]> record) {
    String place = record.topic() + '-' + record.partition() + '@' + record.offset();
    return new NaiveHandler.Received(place, order(record));
  }

  /** Returns the settings of all consumers. */
  Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(protocol.properties());
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 200);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, PolledRecords.class.getName());
    properties.put(PolledRecords.REPORTS, reports);
    return properties;
  }
}
