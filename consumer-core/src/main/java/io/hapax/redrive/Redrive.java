package io.hapax.redrive;

import io.hapax.DeadLetter;
import io.hapax.Generations;
import io.hapax.mark.Attempt;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.redrive.Redriven.NotDead;
import io.hapax.redrive.Redriven.Published;
import io.hapax.redrive.Redriven.Refused;
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

  /**
   * For a consumer.
   *
   * @param store the consumer's store; stays open
   * @param consumer the consumer's name, as its receiver's builder was told it
   * @throws IllegalArgumentException if it is no scope
   */
  public Redrive(DedupStore store, String consumer) {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is no scope
    this.store = store;
    this.consumer = consumer;
  }

  /**
   * What {@link #reopen} would do. Changes nothing.
   *
   * @param letter the letter
   * @return what would become of it
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Redriven look(FoundLetter letter) {
    return refusal(letter)
        .<Redriven>map(Refused::new)
        .or(() -> find(keyOf(letter)).flatMap(mark -> obstacle(letter, mark)))
        .orElseGet(Published::new);
  }

  /**
   * Reopens the mark of a letter's message, also one that was reopened before and not claimed
   * since: that the store did not answer then may mean that a failover would make it DEAD again.
   * One that is gone needs nothing.
   *
   * @param letter the letter
   * @return empty if the message is to be published now; otherwise why it must not be
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   */
  public Optional<Redriven> reopen(FoundLetter letter) {
    Optional<String> refusal = refusal(letter);
    if (refusal.isPresent()) {
      return refusal.map(Refused::new);
    }
    MessageKey key = keyOf(letter);
    Optional<Mark> found = find(key);
    Optional<Redriven> obstacle = found.flatMap(mark -> obstacle(letter, mark));
    boolean without = WITHOUT_MARK.contains(letter.note().kind());
    if (obstacle.isPresent()
        || without
        || found.filter(Redrive::isDeadOrReopened).isEmpty()) {
      return obstacle;
    }
    return store.resolve(key, found.get().claim().token(), Resolution.REOPEN)
        ? Optional.empty()
        : Optional.of(new NotDead("its mark moved while it was looked at"));
  }

  /** Not what was claimed since and given back in doubt, which is to be kept. */
  private static boolean isDeadOrReopened(Mark mark) {
    Attempt attempt = mark.claim().attempt();
    return mark.state() == MarkState.DEAD
        || (mark.state() == MarkState.RETRY && attempt.number() == 0 && !attempt.inDoubt());
  }

  private Optional<String> refusal(FoundLetter letter) {
    DeadLetterNote note = letter.note(); // whose texts a broker may have had stripped
    if (!note.consumer().isEmpty() && !note.consumer().strip().equals(consumer.strip())) {
      return Optional.of("it is a letter of consumer " + note.consumer());
    } else if (note.kind().equals(DeadLetter.Kind.CONFLICT.name())) {
      return Optional.of("it died of a conflict: the mark under its id is another message's");
    } else if (letter.id().isEmpty()) {
      return Optional.of("it has no usable id");
    }
    return letter.flaw();
  }

  private MessageKey keyOf(FoundLetter letter) {
    return MessageKey.of(Generations.scope(store, consumer), letter.id().orElseThrow());
  }

  private Optional<Mark> find(MessageKey key) {
    return store.find(List.of(key)).get(0);
  }

  /**
   * Why a letter must be left alone, if there is a mark under its message's id. That mark was never
   * compared with a message that had none: whoever is delivered it looks again.
   */
  private static Optional<Redriven> obstacle(FoundLetter letter, Mark mark) {
    if (!WITHOUT_MARK.contains(letter.note().kind())) {
      return alive(mark);
    }
    return mark.state() == MarkState.DEAD
        ? Optional.of(new Refused("it had no mark: that under its id may be another message's"))
        : Optional.empty();
  }

  /** Why a message whose mark is there must not be published; empty if its mark is or was dead. */
  private static Optional<Redriven> alive(Mark mark) {
    return switch (mark.state()) {
      case ABSENT, DEAD -> Optional.empty();
      case DONE -> Optional.of(new NotDead("it is done"));
      case PROCESSING -> Optional.of(new NotDead("it is being handled"));
      case RETRY ->
        mark.claim().attempt().number() == 0
            ? Optional.empty() // reopened before, or given back unstarted: a copy harms nothing
            : Optional.of(new NotDead("it is being tried again"));
    };
  }
}
