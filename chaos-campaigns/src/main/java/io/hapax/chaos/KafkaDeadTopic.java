package io.hapax.chaos;

import io.hapax.demo.OrderChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the dead-letter topic of a run on Kafka. It has one partition. */
final class KafkaDeadTopic {

  static final String NAME = OrderChannel.TOPIC + ".dead";

  private static final Duration POLL = Duration.ofMillis(100);

  private KafkaDeadTopic() {}

  /** Reads it from its beginning to its present end. */
  static List<DeadOrder> read(String bootstrapServers) {
    Map<String, Object> properties = Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        bootstrapServers,
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
        StringDeserializer.class,
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
        ByteArrayDeserializer.class);
    TopicPartition partition = new TopicPartition(NAME, 0);
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      List<DeadOrder> dead = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(POLL).forEach(record -> dead.add(dead(record)));
      }
      return dead;
    }
  }

  private static DeadOrder dead(ConsumerRecord<String, byte[]> record) {
    return DeadOrder.of(
        record.value(),
        name -> Optional.ofNullable(record.headers().lastHeader(name))
            .map(header -> new String(header.value(), StandardCharsets.UTF_8)));
  }
}
