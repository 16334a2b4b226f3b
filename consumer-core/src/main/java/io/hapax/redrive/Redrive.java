package io.hapax.redrive;

import io.hapax.DeadLetter;
import io.hapax.generation.Generations;
import io.hapax.internal.store.RetryingReads;
import io.hapax.internal.store.StoreTime;
import io.hapax.mark.Attempt;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.redrive.RedriveResult.NotDead;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The half of a redrive that is the store's: reopens the mark of a dead letter's message, so that
 * it may run again, with no attempts and no doubt. For adapters, which publish the message
 * afterwards; never the other way round, because a consumer that meets the message while its mark
 * is DEAD acknowledges it without running it.
 *
 * <p>A crash in between leaves a mark that may be claimed and a message that nobody delivers: the
 * letter is redriven again. Thread-safe.
 */
public final class Redrive {

  private static final Set<String> WITHOUT_MARK =
      Set.of(DeadLetter.Kind.MISSING_ID.name(), DeadLetter.Kind.MISSING_FINGERPRINT.name());

  private final DedupStore store;
  private final String consumer;
  private final RedriveSettings settings;

  /**
   * For a consumer.
   *
   * @param store the consumer's store; stays open
   * @param consumer the consumer's name, as its receiver's builder was told it
   * @param settings what may be published; an adapter passes the reason of
   *     {@link RedriveSettings#refusal} as the flaw of a letter
   * @throws IllegalArgumentException if the consumer's name is no scope
   */
  public Redrive(DedupStore store, String consumer, RedriveSettings settings) {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is no scope
    this.store = store;
    this.consumer = consumer;
    this.settings = settings;
  }

  /**
   * Begins to go through dead-letter records.
   *
   * @param executes false for a dry run
   * @param which the records that are meant
   * @return the run, which asks the store for the time once
   */
  public RedriveRun run(boolean executes, DeadLetterSelection which) {
    MessageKey key = MessageKey.of(consumer, "now");
    StoreTime time = new StoreTime(store);
    return new RedriveRun(consumer, executes, which, () -> time.now(key));
  }

  /**
   * What {@link #reopen} would do. Changes nothing.
   *
   * @param letter the letter
   * @return what would become of it
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public RedriveResult look(StoredDeadLetter letter) {
    Optional<String> refusal = refusal(letter);
    return refusal.isPresent() ? new Refused(refusal.get()) : judged(letter, find(keyOf(letter)));
  }

  /**
   * Reopens the mark of a letter's message, also one that was reopened before and not claimed
   * since: that the store did not answer then may mean that a failover would make it DEAD again.
   * One that is gone needs nothing, if the settings accept that. Nor does one that was lost, and
   * that a late renewal wrote anew: the message waits for the end of that lease and takes the mark
   * over.
   *
   * @param letter the letter
   * @return {@link Published} if the message is to be published now; otherwise why it must not be
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   */
  public RedriveResult reopen(StoredDeadLetter letter) {
    Optional<String> refusal = refusal(letter);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    MessageKey key = keyOf(letter);
    Optional<Mark> found = find(key);
    RedriveResult judged = judged(letter, found);
    if (!(judged instanceof Published)
        || hadNoMark(letter)
        || found.filter(Redrive::isDeadOrReopened).isEmpty()) {
      return judged;
    }
    return store.resolve(key, found.get().claim().token(), found.get().state(), Resolution.REOPEN)
        ? judged
        : new NotDead("its mark moved while it was looked at");
  }

  /** Not what was claimed since and given back in doubt, which is to be kept. */
  private static boolean isDeadOrReopened(Mark mark) {
    Attempt attempt = mark.claim().attempt();
    return mark.state() == MarkState.DEAD
        || (mark.state() == MarkState.RETRY && attempt.number() == 0 && !attempt.inDoubt());
  }

  /** Whether an operator has reopened it, or kept it as done, for any payload. */
  private static boolean takesAnyPayload(Mark mark) {
    boolean decided = mark.state() == MarkState.DONE
        || (mark.state() == MarkState.RETRY && mark.claim().attempt().number() == 0);
    return decided && mark.claim().fingerprint().equals(Fingerprint.NONE);
  }

  private Optional<String> refusal(StoredDeadLetter letter) {
    DeadLetterMetadata note = letter.note(); // whose texts a broker may have had stripped
    if (!note.consumer().isEmpty() && !note.consumer().strip().equals(consumer.strip())) {
      return Optional.of("it is a letter of consumer " + note.consumer());
    } else if (letter.id().isEmpty()) {
      return Optional.of("it has no usable id");
    }
    return otherId(letter).or(letter::flaw);
  }

  /**
   * Under another id than its own its mark would not be found, and would stay DEAD: whoever is
   * delivered the message then acknowledges it without running it.
   */
  private static Optional<String> otherId(StoredDeadLetter letter) {
    String died = letter.note().messageId().strip();
    return hadNoMark(letter) || died.isEmpty() || died.equals(letter.name().strip())
        ? Optional.empty()
        : Optional.of("its id is " + letter.name() + " here, but it died as " + died);
  }

  private static boolean hadNoMark(StoredDeadLetter letter) {
    return WITHOUT_MARK.contains(letter.note().kind());
  }

  private MessageKey keyOf(StoredDeadLetter letter) {
    return MessageKey.of(
        RetryingReads.of(() -> Generations.scope(store, consumer)), letter.id().orElseThrow());
  }

  private Optional<Mark> find(MessageKey key) {
    return RetryingReads.of(() -> store.find(List.of(key))).get(0);
  }

  /**
   * What a letter's message may do by what is under its id. A mark there was never compared with a
   * message that had none: whoever is delivered it looks again.
   */
  private RedriveResult judged(StoredDeadLetter letter, Optional<Mark> found) {
    if (letter.note().kind().equals(DeadLetter.Kind.CONFLICT.name())
        && found.filter(Redrive::takesAnyPayload).isEmpty()) {
      return new Refused("it died of a conflict: the mark under its id is another message's");
    }
    if (!hadNoMark(letter)) {
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
            ? new Published() // written anew, perhaps after its end: a copy waits and takes it over
            : new NotDead("it is being handled");
      case RETRY ->
        mark.claim().attempt().number() == 0
            ? new Published() // reopened before, or given back unstarted: a copy harms nothing
            : new NotDead("it is being tried again");
    };
  }
}
