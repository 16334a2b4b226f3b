package io.hapax.bench;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reports accepted commits to the meter in the consumer's properties. Public, because the consumer
 * creates it.
 */
public final class CommitInterceptor implements ConsumerInterceptor<byte[], byte[]> {

  private static final String METER = "bench.meter";

  private @Nullable CommitMeter meter;

  /** Creates an interceptor without a meter. */
  public CommitInterceptor() {}

  static Map<String, Object> properties(CommitMeter meter) {
    return Map.of("interceptor.classes", CommitInterceptor.class.getName(), METER, meter);
  }

  @Override
  public void configure(Map<String, ?> properties) {
    meter = (CommitMeter) properties.get(METER);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Objects.requireNonNull(meter, METER).committed(offsets);
  }

  @Override
  public void close() {}
}
