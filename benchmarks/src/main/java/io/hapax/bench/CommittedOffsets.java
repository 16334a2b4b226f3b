package io.hapax.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Measures how fast a group commits. */
final class CommittedOffsets {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 5;

  private final String group;
  private final long messages;

  /**
   * Measures a group.
   *
   * @param messages what the group commits in the end
   */
  CommittedOffsets(String group, long messages) {
    this.group = group;
    this.messages = messages;
  }

  /** Returns messages a second, from the first commit until all are committed or the limit. */
  double rate(String bootstrapServers, Duration limit)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      long begin = System.nanoTime();
      long first = committed(admin);
      while (first == 0) {
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new IllegalStateException("nothing was committed within " + PATIENCE);
        }
        Thread.sleep(LOOK_MILLIS);
        first = committed(admin);
      }
      begin = System.nanoTime();
      long last = first;
      while (last < messages && System.nanoTime() - begin < limit.toNanos()) {
        Thread.sleep(LOOK_MILLIS);
        last = committed(admin);
      }
      return (last - first) / ((System.nanoTime() - begin) / 1e9);
    }
  }

  private long committed(Admin admin) throws ExecutionException, InterruptedException {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(offset -> offset == null ? 0 : offset.offset())
        .sum();
  }
}
