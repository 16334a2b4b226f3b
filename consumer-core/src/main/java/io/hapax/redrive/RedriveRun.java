package io.hapax.redrive;

import io.hapax.DeadLetter;
import io.hapax.mark.Bytes;
import io.hapax.redrive.RedriveResult.NotDead;
import io.hapax.redrive.RedriveResult.Published;
import io.hapax.redrive.RedriveResult.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Goes through dead letters that an adapter reads, and counts what becomes of those that are meant.
 * Of several letters of one id no more than one is published. For one thread.
 */
public final class RedriveRun {

  private static final int SAMPLES = 10;

  /**
   * Redrives a letter, or says what would become of it.
   *
   * @param <X> what goes wrong
   */
  public interface Step<X extends Exception> {

    /**
     * Takes the letter.
     *
     * @return what became of it
     * @throws X if that is not known
     */
    RedriveResult take() throws X;
  }

  private final String consumer;
  private final boolean executes;
  private final DeadLetterSelection which;
  private final Set<String> found = new HashSet<>();
  private final Map<Bytes, StoredDeadLetter> published = new HashMap<>();
  private final List<RedriveSample> samples = new ArrayList<>();
  private final int mostSamples;
  private final Supplier<Instant> now;
  private long letters;
  private long unmarked;
  private long notDead;
  private long refused;
  private Optional<Duration> oldest = Optional.empty();

  /** Begins; {@code now} is the store's time. */
  RedriveRun(String consumer, boolean executes, DeadLetterSelection which, Supplier<Instant> now) {
    this.consumer = consumer;
    this.executes = executes;
    this.which = which;
    this.now = now;
    this.mostSamples = Math.max(SAMPLES, which.ids().size());
  }

  /**
   * Takes the next letter.
   *
   * @param letter the letter
   * @param step what is done if it is meant
   * @param <X> what goes wrong in that
   * @throws io.hapax.store.StoreException if the store does not say what time it is
   * @throws X if that goes wrong
   */
  public <X extends Exception> void next(StoredDeadLetter letter, Step<X> step) throws X {
    letters++;
    Optional<String> name = which.nameOf(letter);
    if (name.isEmpty()) {
      return;
    }
    found.add(name.get());
    Optional<Duration> age = letter.diedAt().map(this::age); // before anything is published
    Optional<StoredDeadLetter> earlier = letter.id().map(published::get);
    count(letter, age, earlier.isEmpty() ? step.take() : behind(earlier.get(), letter));
  }

  /** A conflict says that two payloads have one id: of these only one was published. */
  private static RedriveResult behind(StoredDeadLetter earlier, StoredDeadLetter letter) {
    return diedOfConflict(earlier) || diedOfConflict(letter)
        ? new Refused("another letter of its id was published, and one of the two died of a"
            + " conflict: it may have another payload and did not run")
        : new NotDead("an earlier letter of it was taken");
  }

  private static boolean diedOfConflict(StoredDeadLetter letter) {
    return letter.note().kind().equals(DeadLetter.Kind.CONFLICT.name());
  }

  private void count(StoredDeadLetter letter, Optional<Duration> age, RedriveResult answer) {
    long before;
    if (answer instanceof Published one) {
      before = published.size();
      unmarked += one.unmarked() ? 1 : 0;
      letter.id().ifPresent(id -> published.put(id, letter));
    } else if (answer instanceof NotDead) {
      before = notDead++;
    } else {
      before = refused++;
      unmarked += answer instanceof Refused one && one.unmarked() ? 1 : 0;
    }
    oldest = Stream.of(oldest, age).flatMap(Optional::stream).max(Comparator.naturalOrder());
    if (before < mostSamples) {
      samples.add(
          new RedriveSample(letter.name(), letter.coordinates(), age, letter.note(), answer));
    }
  }

  /** Not negative, although the clocks of broker and store differ. */
  private Duration age(Instant diedAt) {
    Duration age = Duration.between(diedAt, now.get());
    return age.isNegative() ? Duration.ZERO : age;
  }

  /**
   * Takes a letter that cannot be read, which nobody can mean by an id.
   *
   * @param coordinates where it lies
   * @param why what is wrong with it
   */
  public void unreadable(String coordinates, String why) {
    letters++;
    if (which.ids().isEmpty()) {
      DeadLetterMetadata none = DeadLetterMetadata.read(name -> Optional.empty());
      count(
          new StoredDeadLetter(coordinates, Optional.empty(), none, Optional.empty(), Optional.empty()),
          Optional.empty(),
          new Refused("it cannot be read: " + why));
    }
  }

  /**
   * For a step that failed after its mark was reopened.
   *
   * @param letter the letter
   * @param cause why its message was not published
   * @return to be thrown, with how many were published before
   */
  public RedriveFailedException failed(StoredDeadLetter letter, Exception cause) {
    return new RedriveFailedException(
        "the letter of " + letter.name() + " at " + letter.coordinates()
            + " was not brought back, and its mark is reopened: redrive it again. Before it "
            + published.size() + " messages were published",
        cause);
  }

  /**
   * Ends.
   *
   * @return what became of the letters
   */
  public RedriveReport report() {
    return new RedriveReport(
        consumer,
        executes,
        letters,
        published.size(),
        unmarked,
        notDead,
        refused,
        oldest,
        which.ids().stream().filter(id -> !found.contains(id)).toList(),
        samples);
  }
}
