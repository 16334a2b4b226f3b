package io.hapax.spring.kafka;

import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.PolledPositions;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks what the interceptors before it have made of a poll, for a container that hands over
 * single records. Kafka makes it by its name, and ignores what it throws.
 */
public final class PollCheck implements ConsumerInterceptor<Object, Object> {

  private static final ThreadLocal<AlteredPollException> ALTERED = new ThreadLocal<>();

  /** Throws if the latest records of this thread are those of an altered poll. */
  static void requireUnaltered() {
    AlteredPollException altered = ALTERED.get();
    if (altered != null) {
      throw altered;
    }
  }

  @Override
  public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
    try {
      var unused = PolledPositions.of(records);
      ALTERED.remove();
    } catch (AlteredPollException e) {
      ALTERED.set(e);
    }
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void configure(Map<String, ?> properties) {}

  @Override
  public void close() {}
}
