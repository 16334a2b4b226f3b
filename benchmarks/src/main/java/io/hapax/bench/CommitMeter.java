package io.hapax.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Counts the records that a consumer commits, as its client reports them. The time between two
 * commits counts, and not the time of start and end.
 */
final class CommitMeter {

  private static final long PATIENCE_SECONDS = 120;

  private final int partitions;
  private final long skipped;
  private final long records;
  private final long createdNanos = System.nanoTime();
  private final Map<TopicPartition, Long> offsets = new HashMap<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private long committed;
  private long before;
  private long beginNanos;
  private long endNanos;
  private boolean over;

  /**
   * The first records of each partition do not count; in the end all from offset 0 on are
   * committed.
   */
  CommitMeter(int partitions, long skipped, long records) {
    this.partitions = partitions;
    this.skipped = Math.min(skipped, records / partitions / 2);
    this.records = records;
  }

  Map<String, Object> properties() {
    return Map.of("interceptor.classes", Interceptor.class.getName(), Interceptor.METER, this);
  }

  synchronized void committed(Map<TopicPartition, OffsetAndMetadata> commit) {
    if (over) {
      return;
    }
    commit.forEach((partition, next) -> {
      Long earlier = offsets.put(partition, next.offset());
      committed += next.offset() - (earlier == null ? 0 : earlier);
    });
    endNanos = System.nanoTime();
    if (begun.getCount() > 0 && allHaveBegun()) {
      before = committed;
      beginNanos = endNanos;
      begun.countDown();
    }
    if (committed >= records) {
      ended.countDown();
    }
  }

  private boolean allHaveBegun() {
    return offsets.size() >= partitions
        && offsets.values().stream().allMatch(offset -> offset >= skipped);
  }

  /** Waits until all records are committed or the limit is reached, and ends the measurement. */
  void awaitEnd(Duration limit) throws InterruptedException {
    var unused = ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    synchronized (this) {
      over = true;
    }
  }

  /** Returns the records that count. If the first commit had all records, all of them count. */
  synchronized long count() {
    return committed == before ? committed : committed - before;
  }

  double rate(Duration limit) throws InterruptedException {
    if (!begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(skipped
          + " records of each partition were not committed within " + PATIENCE_SECONDS + " s");
    }
    awaitEnd(limit);
    synchronized (this) {
      return count() * 1e9 / (endNanos - (committed == before ? createdNanos : beginNanos));
    }
  }

  /**
   * Reports accepted commits to the meter in the consumer's properties. Public, because the
   * consumer creates it.
   */
  public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {

    private static final String METER = "bench.meter";

    private @Nullable CommitMeter meter;

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
}
