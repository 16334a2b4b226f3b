package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.Broker;
import io.hapax.operations.kafka.KafkaOperations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the options of a command on Kafka. */
final class KafkaOptions {

  private KafkaOptions() {}

  static Broker of(String bootstrap, Properties more, ReadingSettings reading, Duration patience) {
    Map<String, Object> client = new HashMap<>();
    more.forEach((name, value) -> client.put(String.valueOf(name), value));
    client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    return switch (reading.format()) {
      case TEXT ->
        operations(client, reading, new StringDeserializer(), new StringDeserializer())
            .withPatience(patience);
      case BYTES ->
        operations(client, reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .withPatience(patience);
    };
  }

  private static <T> KafkaOperations<T, T> operations(
      Map<String, Object> client,
      ReadingSettings reading,
      Deserializer<T> keys,
      Deserializer<T> values) {
    return KafkaOperations.of(
        reading.<ConsumerRecord<T, T>>settings(
            reading.ids(KafkaOptions::<T>ids, ConsumerRecord::topic), KafkaFingerprints.value()),
        client,
        keys,
        values);
  }

  private static <T> IdExtractor<ConsumerRecord<T, T>> ids(String where) {
    if (where.equals("key")) {
      return KafkaIds.key();
    } else if (where.startsWith("header:")) {
      return KafkaIds.header(where.substring("header:".length()));
    } else if (where.startsWith("value:")) {
      return KafkaIds.jsonPointer(where.substring("value:".length()));
    }
    throw new IllegalArgumentException(
        "--id is " + where + " but must be header:NAME, key, or value:/json/pointer");
  }
}
