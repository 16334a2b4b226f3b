package io.hapax.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** The settings of Kafka's consumer in a run that kills its processes. */
final class KafkaTuning {

  /** Short, so that the partitions of a killed member do not wait long. */
  static final Duration SESSION = Duration.ofSeconds(3);

  static final int HEARTBEAT_MILLIS = 500;

  private static final String REPORTS = "demo.reports";

  private KafkaTuning() {}

  /** Returns the settings, and reports what the consumer polls. */
  static Map<String, Object> properties(GroupProtocol protocol, Reports reports) {
    Map<String, Object> properties = new HashMap<>(protocol.properties());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 200);
    properties.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, PolledRecords.class.getName());
    properties.put(REPORTS, reports);
    return properties;
  }

  /** Returns the settings of a consumer that Spring creates. */
  static Map<String, Object> properties(String address, GroupProtocol protocol, Reports reports) {
    Map<String, Object> properties = properties(protocol, reports);
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }

  /** Counts the records that the broker delivers to any consumer. The Kafka client creates it. */
  public static final class PolledRecords implements ConsumerInterceptor<String, byte[]> {

    private @Nullable Reports reports;

    @Override
    public void configure(Map<String, ?> settings) {
      reports = (Reports) settings.get(REPORTS);
    }

    @Override
    public ConsumerRecords<String, byte[]> onConsume(ConsumerRecords<String, byte[]> records) {
      Objects.requireNonNull(reports, REPORTS).polled(records.count());
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
  }
}
