package io.hapax.spring.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what the broker refused for the next commit. Without one it is redelivered. */
final class OffsetCommits {

  private static final Logger LOG = LoggerFactory.getLogger(OffsetCommits.class);

  private final Consumer<?, ?> consumer;
  private final @Nullable Duration timeout;
  private final Map<TopicPartition, OffsetAndMetadata> open = new HashMap<>();

  OffsetCommits(Consumer<?, ?> consumer, @Nullable Duration timeout) {
    this.consumer = consumer;
    this.timeout = timeout;
  }

  void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    open.putAll(offsets);
    if (open.isEmpty()) {
      return;
    }
    try {
      commitNow();
      open.clear();
    } catch (CommitFailedException e) { // the consumer is out of its group
      LOG.warn("The group has a new generation: {} is left to the next owners", open, e);
      open.clear();
    } catch (KafkaException e) {
      LOG.warn("The commit of {} failed and is repeated with the next one", open, e);
    }
  }

  private void commitNow() {
    try {
      send();
    } catch (WakeupException meantForAPoll) {
      send();
    }
  }

  private void send() {
    Map<TopicPartition, OffsetAndMetadata> offsets = Map.copyOf(open);
    if (timeout == null) {
      consumer.commitSync(offsets);
    } else {
      consumer.commitSync(offsets, timeout);
    }
  }

  void forget(Collection<TopicPartition> partitions) {
    open.keySet().removeAll(partitions);
  }
}
