package io.hapax.kafka.internal;

import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client may take partitions away at any time, and then answers a pause, a resume or a seek
 * with an {@link IllegalStateException}. Nothing is left to do for them.
 */
public final class OwnedPartitions {

  private static final Logger LOG = LoggerFactory.getLogger(OwnedPartitions.class);

  private OwnedPartitions() {}

  public static void of(
      Collection<TopicPartition> partitions, Consumer<Collection<TopicPartition>> call) {
    if (partitions.isEmpty()) {
      return;
    }
    try {
      call.accept(partitions);
    } catch (IllegalStateException someAreNotAssigned) {
      partitions.forEach(each -> of(each, () -> call.accept(Set.of(each))));
    }
  }

  public static void of(TopicPartition partition, Runnable call) {
    try {
      call.run();
    } catch (IllegalStateException notAssigned) {
      LOG.info("{} was revoked or lost meanwhile: {}", partition, notAssigned.getMessage());
    }
  }
}
