package io.hapax.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.RecordHandouts;
import io.hapax.kafka.internal.RecordPlace;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record that a share consumer holds. Other threads call {@link #settled} only. */
final class HeldRecord<K, V> {

  private final ConsumerRecord<byte[], byte[]> raw;
  private final RecordPlace place;
  private final int deliveryLimit;
  private @Nullable Handout<ConsumerRecord<K, V>> handout;
  private @Nullable Submission submission;
  private long submittedNanos;
  private long dueNanos;
  private boolean isUnreadable;
  private @Nullable String waitsFor;

  /** Written by the thread that settles the message. */
  private volatile @Nullable Outcome outcome;

  HeldRecord(ConsumerRecord<byte[], byte[]> raw, int deliveryLimit, long nowNanos) {
    this.raw = raw;
    this.deliveryLimit = deliveryLimit;
    this.place = RecordPlace.of(raw);
    this.dueNanos = nowNanos;
  }

  ConsumerRecord<byte[], byte[]> raw() {
    return raw;
  }

  String coordinates() {
    return place.toString();
  }

  boolean isRedelivered() {
    return deliveries() > 1;
  }

  /** Returns whether the broker drops the record if this delivery is not accepted. */
  boolean isLastDelivery() {
    return deliveries() >= deliveryLimit;
  }

  private int deliveries() {
    return raw.deliveryCount().map(Short::intValue).orElse(1);
  }

  boolean isDue(long nowNanos) {
    return !isSubmitted() && !isUnreadable && dueNanos - nowNanos <= 0;
  }

  boolean isSubmitted() {
    return submission != null;
  }

  Handout<ConsumerRecord<K, V>> handout() {
    return Objects.requireNonNull(handout, "handout");
  }

  /** Deserializes the record. Returns false if that is impossible, for a while or for ever. */
  boolean canRead(RecordHandouts<K, V> handouts, long nowNanos) {
    if (handout != null) {
      return true;
    }
    try {
      handout = handouts.ofRaw(raw);
      return true;
    } catch (RuntimeException e) {
      UnreadableRecord unreadable = UnreadableRecord.of(coordinates(), e);
      dueNanos = nowNanos + UnreadableRecord.PAUSE.toNanos();
      waitsFor = "it" + unreadable.problem();
      isUnreadable = !unreadable.isReadAgain();
      return false;
    }
  }

  void submitted(Submission to, long nowNanos) {
    submission = to;
    submittedNanos = nowNanos;
  }

  /** Takes the outcome of its message. Called by any thread, once for each submission. */
  void settled(Outcome reached) {
    outcome = reached;
  }

  boolean applyOutcome(long nowNanos) {
    Outcome reached = outcome;
    if (reached == null || submission == null) {
      return false;
    }
    outcome = null;
    submission = null;
    if (reached instanceof Deferred deferred) {
      dueNanos = deferred.dueNanos(nowNanos);
      waitsFor = deferred.toText();
    }
    return reached.mayAcknowledge();
  }

  void abandon() {
    if (submission != null) {
      submission.abandon();
    }
  }

  Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    if (waitsFor != null) {
      return found(
          isUnreadable ? Problem.Kind.MESSAGE_BLOCKED : Problem.Kind.PARTITION_WAITING,
          Objects.requireNonNull(waitsFor));
    }
    return isSubmitted() && nowNanos - submittedNanos > silence.toNanos()
        ? found(Problem.Kind.NO_PROGRESS, "its message has had no outcome for " + silence)
        : Optional.empty();
  }

  private Optional<Problems.Found> found(Problem.Kind kind, String text) {
    return Optional.of(new Problems.Found(kind, coordinates(), coordinates() + ": " + text));
  }
}
