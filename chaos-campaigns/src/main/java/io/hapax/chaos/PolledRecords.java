package io.hapax.chaos;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Counts the records that the broker delivers to any consumer. The Kafka client creates it. */
public final class PolledRecords implements ConsumerInterceptor<String, byte[]> {

  static final String REPORTS = "demo.reports";

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
