package io.hapax.operations.redrive;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.generation.Generations;
import io.hapax.internal.store.StoreTime;
import io.hapax.mark.Attempt;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The store's part of a redrive: reopens the mark of a dead-lettered message, so that the message
 * may run again, with no attempts and not in doubt. The message is published after that: a consumer
 * that received it while its mark is DEAD would acknowledge it without running it.
 *
 * <p>A crash between the two steps leaves a mark that may be claimed, and no message to claim it.
 * Redrive the record again then. Thread-safe.
 */
final class Redrive {

  private static final Set<String> WITHOUT_MARK =
      Set.of(DeadLetter.Kind.MISSING_ID.name(), DeadLetter.Kind.MISSING_FINGERPRINT.name());

  private final DedupStore store;
  private final String consumer;
  private final RedriveSettings settings;

  /** Redrives records of a consumer; the store stays open. */
  Redrive(DedupStore store, String consumer, RedriveSettings settings) {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is not a valid scope
    this.store = store;
    this.consumer = consumer;
    this.settings = settings;
  }

  /** Begins a run over dead-letter records, which asks the store for the time once. */
  RedriveRun run(boolean executes, DeadLetterSelection selection) {
    MessageKey key = MessageKey.of(consumer, "now");
    StoreTime time = new StoreTime(store);
    return new RedriveRun(consumer, executes, selection, settings.control(), () -> time.now(key));
  }

  /** Returns what {@link #reopen} would do. Changes nothing. */
  RedriveResult look(StoredDeadLetter record) {
    Optional<String> refusal = refusal(record);
    return refusal.isPresent() ? new Refused(refusal.get()) : judged(record, find(keyOf(record)));
  }

  /**
   * Reopens the mark of a record's message. It also reopens a mark that was reopened before and not
   * claimed since: if the store did not answer that time, a failover could make the mark DEAD
   * again.
   *
   * <p>A missing mark stays missing, if the settings accept that. A mark that was lost, and that a
   * late renewal wrote anew, stays too: the message waits for the end of that lease and takes the
   * mark over.
   *
   * @return {@link Published} if the message is to be published now; otherwise why it must not be
   */
  RedriveResult reopen(StoredDeadLetter record) {
    Optional<String> refusal = refusal(record);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    MessageKey key = keyOf(record);
    Optional<Mark> found = find(key);
    RedriveResult judged = judged(record, found);
    if (!(judged instanceof Published)
        || hadNoMark(record)
        || found.filter(Redrive::isDeadOrReopened).isEmpty()) {
      return judged;
    }
    return store.resolve(key, found.get().claim().token(), found.get().state(), Resolution.REOPEN)
        ? judged
        : new NotDead("its mark changed after it was read");
  }

  /** Excludes a mark that was claimed since and given back in doubt: that doubt must be kept. */
  private static boolean isDeadOrReopened(Mark mark) {
    Attempt attempt = mark.claim().attempt();
    return mark.state() == MarkState.DEAD
        || (mark.state() == MarkState.RETRY && attempt.number() == 0 && !attempt.inDoubt());
  }

  /** Returns whether an operator has reopened the mark, or kept it as DONE, for any payload. */
  private static boolean takesAnyPayload(Mark mark) {
    boolean decided = mark.state() == MarkState.DONE
        || (mark.state() == MarkState.RETRY && mark.claim().attempt().number() == 0);
    return decided && mark.claim().fingerprint().equals(Fingerprint.NONE);
  }

  private Optional<String> refusal(StoredDeadLetter record) {
    DeadLetterMetadata metadata = record.metadata(); // a broker may have stripped its texts
    if (!metadata.consumer().isEmpty() && !metadata.consumer().strip().equals(consumer.strip())) {
      return Optional.of("it is a record of consumer " + metadata.consumer());
    } else if (record.id().isEmpty()) {
      return Optional.of("it has no usable id");
    }
    return otherId(record).or(record::flaw);
  }

  /**
   * Refuses a record whose message has another id now. Its mark would not be found under that id
   * and would stay DEAD, so that a consumer would acknowledge the message without running it.
   */
  private static Optional<String> otherId(StoredDeadLetter record) {
    String died = record.metadata().messageId().strip();
    return hadNoMark(record) || died.isEmpty() || died.equals(record.name().strip())
        ? Optional.empty()
        : Optional.of("its id is " + record.name() + " here, but it died as " + died);
  }

  private static boolean hadNoMark(StoredDeadLetter record) {
    return WITHOUT_MARK.contains(record.metadata().kind());
  }

  private MessageKey keyOf(StoredDeadLetter record) {
    return MessageKey.of(
        RetryingCalls.of(() -> Generations.scope(store, consumer)), record.id().orElseThrow());
  }

  private Optional<Mark> find(MessageKey key) {
    return RetryingCalls.of(() -> store.find(List.of(key))).get(0);
  }

  /**
   * Decides by the mark under the message's id. If the message had no mark when it was
   * dead-lettered, it was never compared with this one: the consumer that receives it does that.
   */
  private RedriveResult judged(StoredDeadLetter record, Optional<Mark> found) {
    if (record.metadata().kind().equals(DeadLetter.Kind.CONFLICT.name())
        && found.filter(Redrive::takesAnyPayload).isEmpty()) {
      return new Refused("it died of a conflict: the mark under its id is another message's");
    }
    if (!hadNoMark(record)) {
      return found.map(this::judged).orElseGet(this::unmarked);
    }
    return found.filter(mark -> mark.state() == MarkState.DEAD).isPresent()
        ? new Refused("it had no mark: that under its id may be another message's")
        : unmarked();
  }

  private RedriveResult unmarked() {
    Published accepted = new Published(true);
    return settings.acceptUnmarked()
        ? accepted
        : new Refused(accepted.why() + " (unmarked records are not accepted)", true);
  }

  private RedriveResult judged(Mark mark) {
    return switch (mark.state()) {
      case ABSENT -> unmarked();
      case DEAD -> new Published();
      case DONE -> new NotDead("it is done");
      case PROCESSING ->
        mark.claim().attempt().number() == 0
            ? new Published() // a late renewal wrote it anew: the message waits and takes it over
            : new NotDead("it is being handled");
      case RETRY ->
        mark.claim().attempt().number() == 0
            ? new Published() // reopened before, or given back unstarted: one more copy is harmless
            : new NotDead("it is being tried again");
    };
  }
}
