package io.hapax.kafka;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.kafka.internal.RecordPlace;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One share consumer and the records that it holds. Each is accepted when its message is settled,
 * and its lock is renewed until then. Belongs to the poll thread.
 *
 * <p>As long as Kafka's client (4.3) renews a lock, its poll returns no new records. A poll that
 * sends renewals makes it fetch records in advance, whose locks expire unseen. Therefore this class
 * renews by a commit, and polls for new records only when it holds none.
 */
final class ShareMember<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(ShareMember.class);
  private static final Duration DEFAULT_LOCK = Duration.ofSeconds(30);
  private static final int RENEWALS = 3;

  private final ShareConsumer<byte[], byte[]> consumer;
  private final RecordHandouts<K, V> handouts;
  private final int deliveryLimit;
  private final Map<RecordPlace, HeldRecord<K, V>> held = new LinkedHashMap<>();
  private final Set<RecordPlace> unanswered = new HashSet<>();

  /** Whether the client still has the renewed records; it accepts none of them meanwhile. */
  private boolean renewing;

  private long renewAtNanos;
  private @Nullable String failedAcknowledgement;
  private boolean closed;

  ShareMember(
      ShareConsumer<byte[], byte[]> consumer, RecordHandouts<K, V> handouts, int deliveryLimit) {
    this.consumer = consumer;
    this.handouts = handouts;
    this.deliveryLimit = deliveryLimit;
  }

  void subscribe(Collection<String> topics) {
    consumer.setAcknowledgementCommitCallback(this::acknowledged);
    consumer.subscribe(topics);
  }

  /** A lost acknowledgement does no harm: the record is redelivered, and its mark is DONE. */
  private void acknowledged(Map<TopicIdPartition, Set<Long>> offsets, @Nullable Exception error) {
    offsets.forEach((partition, some) ->
        some.forEach(it -> unanswered.remove(new RecordPlace(partition.topicPartition(), it))));
    if (error == null) {
      failedAcknowledgement = null;
    } else {
      LOG.info("{} could not be acknowledged and are redelivered: {}", offsets, error.toString());
      failedAcknowledgement = "acknowledgements fail: " + error;
    }
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  boolean isBusy() {
    return held.values().stream().anyMatch(HeldRecord::isSubmitted);
  }

  void poll(Duration wait) {
    take(consumer.poll(wait));
  }

  private void take(ConsumerRecords<byte[], byte[]> records) {
    long now = System.nanoTime();
    for (ConsumerRecord<byte[], byte[]> raw : records) {
      held.computeIfAbsent(RecordPlace.of(raw), place -> new HeldRecord<>(raw, deliveryLimit, now));
    }
    renewAtNanos = now + lock().dividedBy(RENEWALS).toNanos();
  }

  private Duration lock() {
    return consumer.acquisitionLockTimeoutMs().map(Duration::ofMillis).orElse(DEFAULT_LOCK);
  }

  /** Accepts the records whose messages are settled; later if their locks are being renewed. */
  void acceptSettled(long nowNanos) {
    if (renewing) {
      return;
    }
    boolean accepted = false;
    Iterator<HeldRecord<K, V>> records = held.values().iterator();
    while (records.hasNext()) {
      HeldRecord<K, V> record = records.next();
      if (record.applyOutcome(nowNanos)) {
        consumer.acknowledge(record.raw(), AcknowledgeType.ACCEPT);
        records.remove();
        accepted = true;
      }
    }
    if (accepted) {
      consumer.commitAsync();
    }
  }

  void renewIfDue(long nowNanos) {
    if (renewing) {
      consumer.commitAsync(); // sends nothing, but takes the answers
      if (unanswered.isEmpty() || nowNanos - renewAtNanos > lock().toNanos()) {
        endRenewal();
      }
    } else if (!held.isEmpty() && nowNanos - renewAtNanos >= 0) {
      held.values().forEach(it -> consumer.acknowledge(it.raw(), AcknowledgeType.RENEW));
      unanswered.addAll(held.keySet());
      renewing = true;
      consumer.commitAsync();
    }
  }

  /** A record whose lock is lost is redelivered, and its mark decides whether it runs. */
  private void endRenewal() {
    ConsumerRecords<byte[], byte[]> renewed = consumer.poll(Duration.ZERO);
    renewing = false;
    unanswered.clear();
    Set<RecordPlace> kept = new HashSet<>();
    renewed.forEach(it -> kept.add(RecordPlace.of(it)));
    held.forEach((place, record) -> {
      if (!kept.contains(place)) {
        LOG.warn("The lock of {} is lost", record.coordinates());
        reportLeft(record);
      }
    });
    held.keySet().retainAll(kept);
    take(renewed);
  }

  List<HeldRecord<K, V>> due(long nowNanos) {
    return held.values().stream()
        .filter(it -> it.isDue(nowNanos) && it.canRead(handouts, nowNanos))
        .toList();
  }

  void abandon() {
    held.values().forEach(HeldRecord::abandon);
  }

  Stream<Problems.Found> problems(long nowNanos, Duration silence) {
    Stream<Problems.Found> ofRecords =
        held.values().stream().flatMap(it -> it.problem(nowNanos, silence).stream());
    Stream<Problems.Found> ofConsumer = Optional.ofNullable(failedAcknowledgement)
        .map(text -> new Problems.Found(Problem.Kind.COMMIT, "", text))
        .stream();
    return Stream.concat(ofRecords, ofConsumer);
  }

  /** Leaves the group. The broker redelivers the records that are still held. */
  void close(Duration atMost) {
    if (closed) {
      return;
    }
    closed = true;
    held.values().forEach(this::reportLeft);
    held.clear();
    try {
      consumer.close(atMost);
    } catch (RuntimeException e) {
      LOG.error("A share consumer did not close well", e);
    } finally {
      handouts.close();
    }
  }

  private void reportLeft(HeldRecord<K, V> record) {
    if (record.isLastDelivery()) {
      LOG.error(
          "{} is not accepted after its last delivery, {}: the broker drops it",
          record.coordinates(),
          deliveryLimit);
    } else {
      LOG.info("{} is left to be redelivered", record.coordinates());
    }
  }
}
