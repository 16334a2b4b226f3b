package io.hapax.bench;

import io.hapax.servers.LocalKafka;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Fills topics of Kafka in large batches. */
final class TopicWriter {

  private TopicWriter() {}

  /**
   * Writes records, and returns when the broker has stored all of them.
   *
   * @param records the number of records
   * @param record returns the record of a number, which counts from 0
   */
  static void write(
      LocalKafka kafka, long records, LongFunction<ProducerRecord<byte[], byte[]>> record)
      throws Exception {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "key.serializer",
        ByteArraySerializer.class,
        "value.serializer",
        ByteArraySerializer.class,
        "linger.ms",
        20,
        "batch.size",
        256 * 1024);
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      Future<RecordMetadata> last = null;
      for (long number = 0; number < records; number++) {
        last = producer.send(record.apply(number));
      }
      producer.flush();
      if (last != null) {
        last.get();
      }
    }
  }
}
