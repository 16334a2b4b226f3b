package io.hapax.kafka;

import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.PolledPositions;
import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves partitions past the transaction markers behind their last records, with a client that does
 * not report its positions.
 */
final class NextOffsets {

  private static final Logger LOG = LoggerFactory.getLogger(NextOffsets.class);

  private NextOffsets() {}

  /** Call it once the partitions have the records: the position then covers no other one. */
  static void passMarkers(
      Consumer<?, ?> consumer, Collection<? extends AssignedPartition<?, ?>> partitions) {
    if (!PolledPositions.REPORTED) {
      passMarkersOf(consumer, partitions);
    }
  }

  /** Does the same with every client. A position that is not known at once is left out. */
  static void passMarkersOf(
      Consumer<?, ?> consumer, Collection<? extends AssignedPartition<?, ?>> partitions) {
    for (AssignedPartition<?, ?> each : partitions) {
      if (each.position().isPresent() && consumer.assignment().contains(each.partition())) {
        try {
          OwnedPartitions.of(
              each.partition(),
              () -> each.advanced(consumer.position(each.partition(), Duration.ZERO)));
        } catch (WakeupException | RetriableException e) {
          LOG.trace("The position of {} is not known now", each.partition(), e);
        }
      }
    }
  }
}
