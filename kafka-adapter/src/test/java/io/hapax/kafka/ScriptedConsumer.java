package io.hapax.kafka;

import io.hapax.adapter.Ordering;
import io.hapax.kafka.internal.RecordHandouts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * The client's own mock, for what a real broker cannot be made to do: answers to commits are held
 * back until the test gives them, and closing may fail.
 */
final class ScriptedConsumer extends MockConsumer<String, String> {

  static final TopicPartition PARTITION = new TopicPartition("scripted", 0);

  /** Offsets of partition 0 that were committed with waiting and without. */
  final List<Long> waited = new CopyOnWriteArrayList<>();

  final List<Long> asked = new CopyOnWriteArrayList<>();

  private record Held(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback back) {}

  private final Queue<Held> held = new ArrayDeque<>();
  private final Semaphore scripted = new Semaphore(0);
  /** Commits without waiting, of this offset or a higher one, are answered only by the test. */
  volatile long holdFrom = Long.MAX_VALUE;

  volatile Optional<RuntimeException> commitFailure = Optional.empty();
  volatile Optional<RuntimeException> closeFailure = Optional.empty();

  /** Partitions that the client still lists as paused, although its other thread took them away. */
  volatile Set<TopicPartition> pausedBefore = Set.of();

  /** Whether the next commit with waiting meets a wake that was meant for a poll before it. */
  volatile boolean wokenLate;

  /** The same for the next commit without waiting, as if the coordinator was unknown. */
  volatile boolean wokenLateAsync;

  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.0
  ScriptedConsumer() {
    super(OffsetResetStrategy.EARLIEST);
  }

  static AssignedPartition<String, String> assigned(TopicPartition partition) {
    return new AssignedPartition<>(
        partition, Ordering.byPartition(), RecordHandouts.<String, String>ofOthers()::of);
  }

  static ConsumerRecord<String, String> record(
      TopicPartition partition, long offset, Optional<Integer> leaderEpoch) {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        "key",
        "value",
        new RecordHeaders(),
        leaderEpoch);
  }

  /** In the next poll: partition 0 is assigned, with records from the first offset on. */
  void assignNext(long first, String... texts) {
    schedulePollTask(() -> assign(first, texts));
  }

  private void assign(long first, String... texts) {
    updateBeginningOffsets(Map.of(PARTITION, first));
    rebalance(List.of(PARTITION));
    for (String text : texts) {
      add(first + List.of(texts).indexOf(text), text);
    }
  }

  void add(long offset, String text) {
    addRecord(new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, text, text));
  }

  void revokeNext() {
    schedulePollTask(() -> rebalance(List.of()));
  }

  void loseNext(PollLoop<String, String> loop) {
    schedulePollTask(() -> {
      loop.onPartitionsLost(List.of(PARTITION));
      rebalance(List.of());
    });
  }

  @Override
  public synchronized Set<TopicPartition> paused() {
    return pausedBefore.isEmpty() ? super.paused() : pausedBefore;
  }

  /** In the next poll: the broker answers all commits that were held back. */
  void answerNext(@Nullable Exception error) {
    schedulePollTask(() -> {
      held.forEach(it -> it.back().onComplete(it.offsets(), error));
      held.clear();
    });
  }

  /**
   * Waits like a real one, for what the script has next; the mock does not, and so would keep its
   * lock to itself.
   */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public ConsumerRecords<String, String> poll(Duration timeout) {
    try {
      var unused = scripted.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return super.poll(timeout);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void schedulePollTask(Runnable task) {
    super.schedulePollTask(task);
    scripted.release();
  }

  @Override
  public synchronized void commitAsync(
      Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
    if (callback == null) { // the mock commits with waiting through here
      super.commitAsync(offsets, null);
      return;
    }
    if (wokenLateAsync) {
      wokenLateAsync = false;
      throw new WakeupException();
    }
    offsets.values().forEach(it -> asked.add(it.offset()));
    if (offsets.values().stream().anyMatch(it -> it.offset() >= holdFrom)) {
      held.add(new Held(new HashMap<>(offsets), callback));
    } else if (commitFailure.isPresent()) {
      callback.onComplete(offsets, commitFailure.get());
    } else {
      super.commitAsync(offsets, callback);
    }
  }

  @Override
  public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (wokenLate) {
      wokenLate = false;
      throw new WakeupException();
    }
    offsets.values().forEach(it -> waited.add(it.offset()));
    commitFailure.ifPresent(it -> {
      throw it;
    });
    super.commitSync(offsets);
  }

  @Override
  @SuppressWarnings("deprecation") // what replaces it is missing in kafka-clients before 4.1
  public synchronized void close(Duration timeout) {
    super.close(timeout);
    closeFailure.ifPresent(it -> {
      throw it;
    });
  }

  /** Does something with each poll that returns. */
  void eachPoll(Function<ScriptedConsumer, Runnable> what) {
    schedulePollTask(() -> {
      what.apply(this).run();
      eachPoll(what);
    });
  }
}
