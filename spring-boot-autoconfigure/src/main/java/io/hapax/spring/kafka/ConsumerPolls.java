package io.hapax.spring.kafka;

import io.hapax.errors.ReceiverClosedException;
import io.hapax.kafka.KafkaBatchProcessor;
import io.hapax.kafka.Processed;
import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.PolledPositions;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * The polls of one consumer of a container; only its thread uses it. What is deferred is read again
 * after a rest. What is settled is committed here.
 */
final class ConsumerPolls {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerPolls.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final ContainerThread thread;
  private final StartedConsumers started;
  private final MessageListenerContainer owner;
  private final Supplier<KafkaBatchProcessor<Object, Object>> processors;
  private final RestingPartitions resting;
  private final TrailingMarkers markers;
  private final ListenerProblems problems;
  private final OffsetCommits commits;
  private KafkaBatchProcessor<Object, Object> processor;

  ConsumerPolls(
      ContainerThread thread,
      StartedConsumers started,
      Supplier<KafkaBatchProcessor<Object, Object>> processors,
      RestingPartitions.Timer rest,
      ListenerProblems problems) {
    this.thread = thread;
    this.started = started;
    this.owner = started.ofThisThread();
    this.processors = processors;
    this.resting = new RestingPartitions(thread.consumer(), owner, rest);
    this.markers = new TrailingMarkers(
        thread.consumer(), thread.container().getContainerProperties().isFixTxOffsets());
    this.problems = problems;
    this.commits = new OffsetCommits(
        thread.consumer(), thread.container().getContainerProperties().getSyncCommitTimeout());
    this.processor = processors.get();
  }

  boolean isOf(Consumer<?, ?> consumer) {
    return thread.consumer() == consumer;
  }

  void handle(ConsumerRecords<Object, Object> records) {
    problems.readable(records.partitions());
    markers.handling(records.partitions());
    try {
      thread.begin();
      Processed processed = processor.process(records, thread.dropped(records));
      processed
          .seeks()
          .forEach((partition, offset) -> readAgain(
              partition, offset, processed.waits().getOrDefault(partition, Duration.ZERO)));
      commits.commit(markers.handled(processed));
    } catch (InterruptedException e) {
      interrupted(records, e);
    } catch (ReceiverClosedException e) {
      LOG.info("The receiver is closed: {} are left to the next owner", records.partitions());
      startOver(records);
    } catch (AlteredPollException e) {
      started.stop(e); // which records the poll had is not known: the next start reads them again
    } catch (RuntimeException e) {
      LOG.error("The records of {} are read again", records.partitions(), e);
      startOver(records);
    } finally {
      thread.end();
    }
  }

  /** Keeps an interruption only for a container that ends: each next poll would fail with it. */
  private void interrupted(ConsumerRecords<Object, Object> records, InterruptedException e) {
    var unused = Thread.interrupted();
    startOver(records);
    if (thread.container().isRunning()) {
      LOG.warn("Interrupted: the records of {} are read again", records.partitions(), e);
    } else {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads a poll again whose outcomes are unknown: nothing of it may be committed. */
  void startOver(ConsumerRecords<?, ?> records) {
    Map<TopicPartition, OffsetAndMetadata> beginnings;
    try {
      beginnings = PolledPositions.of(records).before();
    } catch (AlteredPollException e) {
      started.stop(e);
      return;
    }
    // All partitions are sought back before a rest can fail, or records would be skipped.
    beginnings.forEach((partition, first) ->
        OwnedPartitions.of(partition, () -> thread.consumer().seek(partition, first)));
    markers.forget(records.partitions());
    processor = processors.get();
    if (thread.container().isRunning()) {
      beginnings.keySet().forEach(partition -> rest(partition, AFTER_FAILURE));
    }
  }

  private void readAgain(TopicPartition partition, OffsetAndMetadata offset, Duration wait) {
    OwnedPartitions.of(partition, () -> {
      thread.consumer().seek(partition, offset);
      if (thread.container().isRunning()) {
        rest(partition, wait);
      }
    });
  }

  void rest(TopicPartition partition, Duration wait) {
    resting.rest(partition, wait);
  }

  void beforePoll() {
    resting.beforePoll();
    markers.dropSought();
  }

  /** Never throws: that would end the container's thread. */
  void afterPoll() {
    try {
      if (owner.isRunning()) { // a container that stops discards what a poll returned
        resting.afterPoll();
        Map<TopicPartition, OffsetAndMetadata> moved = markers.afterPoll();
        if (!moved.isEmpty()) {
          commits.commit(moved);
        }
      }
    } catch (RuntimeException e) {
      LOG.error("The end of a poll failed", e);
    }
  }

  void forget(Collection<TopicPartition> partitions) {
    processor.forget(partitions);
    commits.forget(partitions);
    problems.readable(partitions);
    resting.forget(partitions);
    markers.forget(partitions);
  }
}
