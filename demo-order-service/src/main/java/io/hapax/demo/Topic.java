package io.hapax.demo;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topic of the orders, and the consumer group that reads it. */
final class Topic implements AutoCloseable {

  static final String NAME = "orders";
  static final int PARTITIONS = 3;
  static final String ID_HEADER = "order-id";
  private static final String GROUP = "order-service";

  private final String bootstrapServers;
  private final Admin admin;

  Topic(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  /** What both consumers tell the broker. */
  static Map<String, Object> consumerProperties(String bootstrapServers, Reports reports) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 200);
    // A killed member is missed after this time; until then its partitions wait.
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 3_000);
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 500);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, PolledRecords.class.getName());
    properties.put(PolledRecords.REPORTS, reports);
    return properties;
  }

  /** Sends the orders, each under its customer, and returns when the broker has all of them. */
  void publish(List<Order> orders) throws ExecutionException, InterruptedException {
    Map<String, Object> properties = Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        bootstrapServers,
        ProducerConfig.LINGER_MS_CONFIG,
        20,
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        StringSerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class);
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(properties)) {
      var sent = orders.stream().map(order -> producer.send(record(order))).toList();
      for (var acknowledged : sent) {
        acknowledged.get();
      }
    }
  }

  private static ProducerRecord<String, byte[]> record(Order order) {
    var record = new ProducerRecord<>(NAME, order.customer(), OrderJson.write(order));
    record.headers().add(ID_HEADER, order.id().getBytes(StandardCharsets.UTF_8));
    return record;
  }

  /** How many messages the group has not committed yet. */
  long lag() throws ExecutionException, InterruptedException {
    var committed =
        admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get();
    Map<TopicPartition, ListOffsetsResultInfo> ends = admin
        .listOffsets(partitions().stream()
            .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
        .all()
        .get();
    long lag = 0;
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : ends.entrySet()) {
      OffsetAndMetadata at = committed.get(end.getKey());
      lag += end.getValue().offset() - (at == null ? 0 : at.offset());
    }
    return lag;
  }

  /** Sends the group back to the beginning. It must have no member. */
  void rewind() throws ExecutionException, InterruptedException {
    admin
        .alterConsumerGroupOffsets(
            GROUP,
            partitions().stream()
                .collect(Collectors.toMap(
                    partition -> partition, partition -> new OffsetAndMetadata(0))))
        .all()
        .get();
  }

  private static List<TopicPartition> partitions() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(number -> new TopicPartition(NAME, number))
        .toList();
  }

  @Override
  public void close() {
    admin.close();
  }
}
