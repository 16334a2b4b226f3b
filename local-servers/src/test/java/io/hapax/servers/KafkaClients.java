package io.hapax.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A plain producer and a plain consumer of text. */
final class KafkaClients {

  private KafkaClients() {}

  static Producer<String, String> producer(LocalKafka kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new StringSerializer(),
        new StringSerializer());
  }

  static void send(LocalKafka kafka, String topic, String... values) throws Exception {
    try (Producer<String, String> producer = producer(kafka)) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value)).get(30, TimeUnit.SECONDS);
      }
    }
  }

  /**
   * Reads the topic as a new group until it has this number of values, for half a minute at most.
   */
  static List<String> read(LocalKafka kafka, String topic, String groupProtocol, int count) {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "group.id",
        "readers-" + UUID.randomUUID(),
        "group.protocol",
        groupProtocol,
        "auto.offset.reset",
        "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      List<String> values = new ArrayList<>();
      Deadline deadline = Deadline.in(Duration.ofSeconds(30));
      while (values.size() < count && !deadline.hasPassed()) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
