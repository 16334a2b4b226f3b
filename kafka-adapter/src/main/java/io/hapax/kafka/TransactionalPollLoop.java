package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import io.hapax.errors.AuditFailedException;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.PolledPositions;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.kafka.internal.RecordPlace;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers run on the polling thread. Transactions alone commit offsets, and a poll that was not
 * finished is read again from the latest one on.
 */
final class TransactionalPollLoop<K, V> extends KafkaLoop implements ConsumerRebalanceListener {

  record Shared<K, V>(
      IdempotentReceiver<ConsumerRecord<K, V>> receiver,
      OutputProducer<?, ?> producer,
      OutputTransactions<K, V, ?, ?> transactions,
      LostClaims lost,
      CommittedOffsets offsets) {}

  private static final Logger LOG = LoggerFactory.getLogger(TransactionalPollLoop.class);

  private static final Duration UNFINISHED = Duration.ofSeconds(1);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);
  private static final int LOOK_AT = 1000;

  private final Shared<K, V> parts;
  private final Consumer<K, V> consumer;
  private final RecordHandouts<K, V> handouts;
  private final Collection<String> topics;

  /** How long records of a poll may wait before they are deferred. */
  private final Duration patience;

  private final PausedPartitions paused = new PausedPartitions();

  /** The ids of the topics; without some of them until the brokers have answered. */
  private Map<String, String> topicIds = Map.of();

  private long lookNanos = System.nanoTime();

  TransactionalPollLoop(
      Consumer<K, V> consumer,
      RecordHandouts<K, V> handouts,
      Shared<K, V> parts,
      Collection<String> topics,
      Duration patience) {
    super(topics, Duration.ZERO, parts.receiver()); // no handler runs when it leaves
    this.consumer = consumer;
    this.handouts = handouts;
    this.parts = parts;
    this.topics = topics;
    this.patience = patience;
  }

  @Override
  protected void begin() {
    while (!isStopped() && !parts.producer().open()) {
      report();
      LockSupport.parkNanos(UNFINISHED.toNanos());
    }
    consumer.subscribe(topics, this);
  }

  @Override
  protected void round() {
    settleCommitted();
    paused.resumeDue(consumer);
    report();
    poll().ifPresent(this::process);
  }

  private Optional<ConsumerRecords<K, V>> poll() {
    try {
      return polled(() -> consumer.poll(IDLE));
    } catch (RecordDeserializationException e) {
      unreadable(e);
      return Optional.empty();
    }
  }

  private void process(ConsumerRecords<K, V> records) {
    ConsumerGroupMetadata membership = consumer.groupMetadata(); // that of these records
    List<AssignedPartition<K, V>> partitions =
        AssignedPartition.ofPoll(records, PolledPositions.of(records), handouts::of);
    if (!records.isEmpty()) {
      Map<TopicPartition, PolledWindow<K, V>> windows = new HashMap<>();
      boolean finished = membership.generationId() >= 0
          && knowsTopics()
          && receive(partitions, windows, membership);
      partitions.forEach(
          it -> processed(it, Optional.ofNullable(windows.get(it.partition())), finished));
    } else {
      partitions.forEach(it ->
          it.position().ifPresent(next -> parts.producer().settled(it.partition(), next)));
    }
    parts.producer().acknowledge(membership, !records.isEmpty());
  }

  /** Without the ids of its topics a mark could be taken for one of an earlier topic. */
  private boolean knowsTopics() {
    if (!topicIds.keySet().containsAll(topics)) {
      try {
        topicIds = parts.offsets().topicIds(topics);
      } catch (AuditFailedException e) {
        LOG.warn("The ids of {} are not known yet", topics, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return topicIds.keySet().containsAll(topics);
  }

  /** Runs the records of a poll; returns false if their outcomes are not known. */
  private boolean receive(
      List<AssignedPartition<K, V>> partitions,
      Map<TopicPartition, PolledWindow<K, V>> windows,
      ConsumerGroupMetadata membership) {
    List<PolledMessage<ConsumerRecord<K, V>>> polled = new ArrayList<>();
    for (AssignedPartition<K, V> partition : partitions) {
      List<PolledMessage<ConsumerRecord<K, V>>> own =
          partition.offsets().take(Integer.MAX_VALUE, System.nanoTime());
      windows.put(partition.partition(), new PolledWindow<>(own));
      polled.addAll(own);
    }
    parts.transactions().polled(windows, membership);
    try {
      List<Outcome> outcomes = parts
          .receiver()
          .port()
          .receiveOnCallerThread(
              polled.stream().map(this::incoming).toList(), patience, (index, outcome) -> {
                ConsumerRecord<K, V> record = polled.get(index).message();
                PolledWindow.of(record, windows).resolved(record, outcome);
              });
      AssignedPartition.resolved(polled, outcomes);
      return true;
    } catch (ReceiverClosedException e) {
      parts.receiver().port().requireRunning(); // one that has failed ends the loop with its error
      stop();
    } catch (InterruptedException e) {
      LOG.warn("A poll of {} was interrupted and is read again", topics, e);
    }
    return false;
  }

  private Incoming<ConsumerRecord<K, V>> incoming(PolledMessage<ConsumerRecord<K, V>> message) {
    String topicId = topicIds.getOrDefault(message.message().topic(), "");
    String coordinates = RecordPlace.withTopicId(message.coordinates(), topicId);
    return AssignedPartition.incoming(message, coordinates, false);
  }

  private void processed(
      AssignedPartition<K, V> partition, Optional<PolledWindow<K, V>> window, boolean finished) {
    TopicPartition name = partition.partition();
    Optional<OffsetAndMetadata> committed = window.flatMap(PolledWindow::committed);
    Optional<OffsetAndMetadata> lowest = finished
        ? partition.lowestUnfinished()
        : partition.offsets().firstUnfinished().map(it -> new OffsetAndMetadata(it.offset()));
    if (lowest.isEmpty() && committed.isEmpty()) {
      return; // there was no record, and the next poll reports the position again
    }
    OffsetAndMetadata next = later(lowest, committed);
    committed.ifPresent(
        it -> parts.producer().forget(Set.of(name))); // an older offset would move it back
    if (finished && committed.map(it -> it.offset() < next.offset()).orElse(true)) {
      parts.producer().settled(name, next);
    }
    if (finished && partition.offsets().firstUnfinished().isEmpty()) {
      paused.moves(name);
      return;
    }
    long now = System.nanoTime();
    Duration wait = finished ? partition.offsets().remaining(now) : UNFINISHED;
    paused.until(name, now + wait.toNanos());
    partition.problem(now, patience).ifPresent(it -> paused.found(name, it));
    Processed.rewind(consumer, name, next);
  }

  /** A transaction may have committed a record whose mark could not be settled. */
  private static OffsetAndMetadata later(
      Optional<OffsetAndMetadata> one, Optional<OffsetAndMetadata> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other).orElseThrow();
    }
    return one.get().offset() >= other.get().offset() ? one.get() : other.get();
  }

  private void unreadable(RecordDeserializationException e) {
    TopicPartition partition = e.topicPartition();
    UnreadableRecord record = UnreadableRecord.of(e);
    String text = partition + ": offset " + e.offset() + record.problem();
    if (record.isReadAgain()) {
      paused.until(partition, System.nanoTime() + UnreadableRecord.PAUSE.toNanos());
    } else {
      paused.forget(Set.of(partition)); // it is not resumed any more
    }
    paused.found(
        partition, new Problems.Found(Problem.Kind.PARTITION_STOPPED, partition.toString(), text));
    OwnedPartitions.of(Set.of(partition), consumer::pause);
  }

  private void report() {
    found(paused.problems().stream());
    reportBrokers();
  }

  /** Reports what may change while handlers run. */
  private void reportBrokers() {
    report(Problem.Kind.COMMIT, parts.producer().problem());
    report(Problem.Kind.PROBE, parts.lost().problem());
  }

  private void report(Problem.Kind kind, Optional<String> problem) {
    if (problem.isPresent()) {
      problems.raise(kind, "", problem.get());
    } else {
      problems.clear(kind, "");
    }
  }

  private void settleCommitted() {
    if (lookNanos - System.nanoTime() > 0) {
      return;
    }
    lookNanos = System.nanoTime() + LOOK_AGAIN.toNanos();
    try {
      int done = parts.lost().settleCommitted(parts.receiver().consumerName(), LOOK_AT);
      if (done > 0) {
        LOG.info("{} marks of committed transactions became DONE", done);
      }
    } catch (StoreException e) {
      LOG.warn("The marks of committed transactions cannot be read now", e);
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    LOG.info("Assigned {}", partitions);
    topicIds = Map.of(); // a topic may have been created anew
    // The leases of an owner that vanished have expired by then.
    Duration lease = parts.receiver().port().settings().lease();
    lookNanos = System.nanoTime() + lease.plus(UNFINISHED).toNanos();
  }

  /** Called between polls only, so no handler runs. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    LOG.info("Revoked {}", partitions);
    parts.producer().acknowledge(consumer.groupMetadata(), true);
    forget(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.warn("Lost {}; what is not committed will be delivered again", partitions);
    forget(partitions);
  }

  private void forget(Collection<TopicPartition> partitions) {
    parts.producer().forget(partitions);
    paused.forget(partitions);
    parts.producer().forgetProblem();
  }

  @Override
  protected void close() {
    close(consumer, CLOSING);
    handouts.close();
    parts.producer().leave();
  }

  @Override
  protected List<Problem> problems() {
    reportBrokers();
    return super.problems();
  }
}
