package io.hapax.kafka;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import io.hapax.errors.DeferredException;
import io.hapax.kafka.internal.RecordPlace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A transaction may commit an offset only if no record before it needs a redelivery. */
final class PolledWindow<K, V> {

  private static final Duration SOON = Duration.ofMillis(500);

  private enum Progress {
    OPEN,
    /** The record may be acknowledged. */
    PASSED,
    /** The record must be redelivered. */
    DEFERRED
  }

  private final List<PolledMessage<ConsumerRecord<K, V>>> messages;
  private final Map<Long, Integer> positions = new HashMap<>();
  private final Progress[] progress;
  private Optional<OffsetAndMetadata> committed = Optional.empty();

  PolledWindow(List<PolledMessage<ConsumerRecord<K, V>>> messages) {
    this.messages = messages;
    progress = new Progress[messages.size()];
    for (int i = 0; i < progress.length; i++) {
      positions.put(messages.get(i).offset(), i);
      progress[i] = Progress.OPEN;
    }
  }

  static <K, V> PolledWindow<K, V> of(
      ConsumerRecord<K, V> record, Map<TopicPartition, PolledWindow<K, V>> windows) {
    return Optional.ofNullable(windows.get(RecordPlace.of(record).partition())).orElseThrow();
  }

  private int position(ConsumerRecord<K, V> record) {
    return Optional.ofNullable(positions.get(record.offset())).orElseThrow();
  }

  /** Throws {@link DeferredException} if it cannot be read again now. */
  ConsumerRecord<K, V> again(ConsumerRecord<K, V> record) {
    try {
      return messages.get(position(record)).handout().next();
    } catch (RuntimeException e) {
      throw new DeferredException(SOON, "the record cannot be read again now: " + e);
    }
  }

  synchronized void resolved(ConsumerRecord<K, V> record, Outcome outcome) {
    int position = position(record);
    if (progress[position] == Progress.OPEN) {
      progress[position] = outcome.mayAcknowledge() ? Progress.PASSED : Progress.DEFERRED;
      notifyAll();
    }
  }

  synchronized void committed(List<ConsumerRecord<K, V>> records) {
    ConsumerRecord<K, V> last = records.get(records.size() - 1);
    committed = Optional.of(behind(last));
    for (ConsumerRecord<K, V> record : records) {
      progress[position(record)] = Progress.PASSED;
    }
  }

  synchronized Optional<OffsetAndMetadata> committed() {
    return committed;
  }

  static OffsetAndMetadata behind(ConsumerRecord<?, ?> record) {
    return new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), "");
  }

  boolean follows(ConsumerRecord<K, V> record, ConsumerRecord<K, V> before) {
    return position(record) == position(before) + 1;
  }

  /**
   * The store may not have answered yet that a dead letter's mark is settled. Returns false if a
   * record before this one needs a redelivery, or without an answer in time.
   */
  synchronized boolean awaitTurn(ConsumerRecord<K, V> record, Duration atMost)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    int position = position(record);
    for (int i = 0; i < position; i++) {
      while (progress[i] == Progress.OPEN) {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
          return false;
        }
        wait(millis);
      }
      if (progress[i] == Progress.DEFERRED) {
        return false;
      }
    }
    return true;
  }
}
