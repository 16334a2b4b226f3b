package io.hapax.kafka;

import io.hapax.audit.ScannedRange;
import org.apache.kafka.common.TopicPartition;

/** A part of a partition that is to be read. */
record PartitionRange(TopicPartition partition, ScannedRange range) {

  static PartitionRange of(TopicPartition partition, long from, long to) {
    return new PartitionRange(
        partition, new ScannedRange(partition.toString(), from, Math.max(from, to)));
  }

  long from() {
    return range.from();
  }

  long to() {
    return range.to();
  }
}
