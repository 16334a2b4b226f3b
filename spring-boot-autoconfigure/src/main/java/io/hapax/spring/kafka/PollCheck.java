package io.hapax.spring.kafka;

import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.PolledPositions;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Stops a container that hands over single records when the interceptors before it have altered a
 * poll. The container gets no record of that poll, or of a later one, so it can acknowledge none
 * that it skips before its listener. Kafka makes a check by this name for each consumer.
 */
public final class PollCheck implements ConsumerInterceptor<Object, Object> {

  /** The property of a consumer that has the containers to stop. */
  static final String STARTED = "hapax.started.consumers";

  private @Nullable StartedConsumers started;
  private boolean altered;

  @Override
  public void configure(Map<String, ?> properties) {
    started = (StartedConsumers) properties.get(STARTED);
  }

  @Override
  public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
    if (!altered) {
      try {
        var unused = PolledPositions.of(records);
        return records;
      } catch (AlteredPollException e) {
        altered = true;
        Objects.requireNonNull(started, STARTED).stop(e);
      }
    }
    return ConsumerRecords.empty();
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
