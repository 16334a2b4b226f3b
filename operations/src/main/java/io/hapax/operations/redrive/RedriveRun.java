package io.hapax.operations.redrive;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.topic.ScannedRange;
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
 * Counts the results of the selected records of a run. Of several records with the same id at most
 * one is published. For one thread.
 */
final class RedriveRun {

  private static final int SAMPLES = 10;

  /** Redrives a record, or returns the result that a redrive would have. */
  interface Step<X extends Exception> {
    RedriveResult take() throws X;
  }

  private final String consumer;
  private final boolean executes;
  private final DeadLetterSelection selection;
  private final DeadLetterSelection.Index index;
  private final RedriveControl control;
  private final Set<String> found = new HashSet<>();
  private final Map<Bytes, StoredDeadLetter> published = new HashMap<>();
  private final List<RedriveSample> samples = new ArrayList<>();
  private final int mostSamples;
  private final Supplier<Instant> now;
  private boolean stopped;
  private long records;
  private long unmarked;
  private long notDead;
  private long refused;
  private Optional<Duration> oldest = Optional.empty();

  /** Begins a run; {@code now} is the store's time. */
  RedriveRun(
      String consumer,
      boolean executes,
      DeadLetterSelection selection,
      RedriveControl control,
      Supplier<Instant> now) {
    this.consumer = consumer;
    this.executes = executes;
    this.selection = selection;
    this.index = selection.index();
    this.control = control;
    this.now = now;
    this.mostSamples = Math.max(SAMPLES, selection.ids().size());
  }

  /** Handles the next record, with a step that redrives it if it is selected. */
  <X extends Exception> void next(StoredDeadLetter record, Step<X> step) throws X {
    records++;
    Optional<String> name = index.nameOf(record);
    if (name.isEmpty()) {
      return;
    }
    found.add(name.get());
    if (!control.selects(record)) {
      return;
    }
    stopped = stopped || !control.mayTake(record);
    if (stopped) {
      return;
    }
    Optional<Duration> age = record.diedAt().map(this::age); // before anything is published
    Optional<StoredDeadLetter> earlier = record.id().map(published::get);
    count(record, age, earlier.isEmpty() ? step.take() : behind(earlier.get(), record));
  }

  /** After a conflict, two payloads have the same id, and only one of them was published. */
  private static RedriveResult behind(StoredDeadLetter earlier, StoredDeadLetter record) {
    return diedOfConflict(earlier) || diedOfConflict(record)
        ? new Refused("another record with its id was published, and one of the two died of a"
            + " conflict: it may have another payload and did not run")
        : new NotDead("an earlier record of it was redriven");
  }

  private static boolean diedOfConflict(StoredDeadLetter record) {
    return record.metadata().kind().equals(DeadLetter.Kind.CONFLICT.name());
  }

  private void count(StoredDeadLetter record, Optional<Duration> age, RedriveResult answer) {
    long before;
    if (answer instanceof Published one) {
      before = published.size();
      unmarked += one.unmarked() ? 1 : 0;
      record.id().ifPresent(id -> published.put(id, record));
    } else if (answer instanceof NotDead) {
      before = notDead++;
    } else {
      before = refused++;
      unmarked += answer instanceof Refused one && one.unmarked() ? 1 : 0;
    }
    oldest = Stream.of(oldest, age).flatMap(Optional::stream).max(Comparator.naturalOrder());
    RedriveSample sample =
        new RedriveSample(record.name(), record.coordinates(), age, record.metadata(), answer);
    if (before < mostSamples) {
      samples.add(sample);
    }
    control.taken(sample);
  }

  /** Returns an age that is not negative, although the clocks of broker and store may differ. */
  private Duration age(Instant diedAt) {
    Duration age = Duration.between(diedAt, now.get());
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Counts a record that cannot be read. It has no id, so it is selected only if all are. */
  void unreadable(String coordinates, String why) {
    records++;
    DeadLetterMetadata none = DeadLetterMetadata.read(name -> Optional.empty());
    StoredDeadLetter record = new StoredDeadLetter(
        coordinates, Optional.empty(), none, Optional.empty(), Optional.empty());
    if (selection.ids().isEmpty() && !stopped && control.selects(record)) {
      count(record, Optional.empty(), new Refused("it cannot be read: " + why));
    }
  }

  /** Makes the exception for a step that failed after it reopened the mark. */
  RedriveFailedException failed(StoredDeadLetter record, Exception cause) {
    return new RedriveFailedException(
        "the record of " + record.name() + " at " + record.coordinates()
            + " was not published, and its mark is reopened: redrive it again. Before it, "
            + published.size() + " messages were published",
        cause);
  }

  /** Returns the results of the run, which has read these offsets of the dead-letter topic. */
  RedriveReport report(List<ScannedRange> ranges) {
    return new RedriveReport(
        consumer,
        executes,
        records,
        published.size(),
        unmarked,
        notDead,
        refused,
        oldest,
        selection.ids().stream().filter(id -> !found.contains(id)).toList(),
        ranges,
        samples);
  }
}
