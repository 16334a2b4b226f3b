package io.hapax.bench;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Measures how fast a group commits. */
final class CommittedOffsets {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 5;

  private final String group;
  private final int partitions;
  private final long skipped;
  private final long messages;

  /**
   * Measures a group.
   *
   * @param partitions partitions of its topic
   * @param skipped the first messages of each partition, which do not count
   * @param messages what the group commits in the end
   */
  CommittedOffsets(String group, int partitions, long skipped, long messages) {
    this.group = group;
    this.partitions = partitions;
    this.skipped = skipped;
    this.messages = messages;
  }

  /** Returns messages a second, of those that count, until all are committed or the limit. */
  double rate(String bootstrapServers, Duration limit)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      long begin = System.nanoTime();
      Committed first = committed(admin);
      while (first.sum() == 0 || first.least() < skipped) {
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IllegalStateException(
              skipped + " messages of each partition were not committed within " + PATIENCE);
        }
        Thread.sleep(LOOK_MILLIS);
        first = committed(admin);
      }
      begin = System.nanoTime();
      Committed last = first;
      while (last.sum() < messages && System.nanoTime() - begin < limit.toNanos()) {
        Thread.sleep(LOOK_MILLIS);
        last = committed(admin);
      }
      return (last.sum() - first.sum()) / ((System.nanoTime() - begin) / 1e9);
    }
  }

  /**
   * What a group has committed.
   *
   * @param sum of all partitions
   * @param least the least of a partition
   */
  private record Committed(long sum, long least) {}

  private Committed committed(Admin admin) throws ExecutionException, InterruptedException {
    LongSummaryStatistics offsets =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get()
            .values()
            .stream()
            .mapToLong(offset -> offset == null ? 0 : offset.offset())
            .summaryStatistics();
    return new Committed(offsets.getSum(), offsets.getCount() < partitions ? 0 : offsets.getMin());
  }
}
