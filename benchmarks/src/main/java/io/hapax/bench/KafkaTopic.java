package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic whose record keys are ids. They are the ids of {@link Messages#known}, so that a store
 * can be filled with their marks.
 */
record KafkaTopic(String name, int records, int partitions, int valueBytes) {

  void fill(LocalKafka kafka) throws Exception {
    kafka.createTopic(name, partitions);
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20, "batch.size", 1 << 18);
    try (KafkaProducer<byte[], byte[]> producer = producer(settings)) {
      for (int number = 0; number < records - 1; number++) {
        var unused = producer.send(record(number, number));
      }
      producer.send(record(records - 1, records - 1)).get();
    }
  }

  static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static Map<String, Object> readers(String bootstrapServers, int poll) {
    return Map.of(
        "bootstrap.servers",
        bootstrapServers,
        "enable.auto.commit",
        "false",
        "isolation.level",
        "read_committed",
        "max.poll.records",
        poll,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  /** Returns a record whose value begins with a {@link #stamp}. */
  ProducerRecord<byte[], byte[]> record(long number, long stamp) {
    byte[] value = ByteBuffer.allocate(valueBytes).putLong(stamp).array();
    byte[] key = Messages.knownId(number).getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(name, (int) (number % partitions), key, value);
  }

  static long stamp(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }
}
