package io.hapax.operations.redrive;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.generation.Generations;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.redrive.RedriveResult.NotDead;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.store.MarkAdmin;
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
import java.util.stream.Stream;

/**
 * The store's part of a run over dead-letter records: reopens the marks of the selected messages,
 * so that they may run again, with no attempts and not in doubt, and counts the results. A message
 * is published after its mark is reopened: a consumer that received it while its mark is DEAD would
 * acknowledge it without running it. Of several records with the same id at most one is published.
 *
 * <p>A crash between the two steps leaves a mark that may be claimed, and no message to claim it.
 * Redrive the record again then. For one thread.
 */
final class RedriveRun {

  private static final int SAMPLES = 10;

  /** The maximum number of reads of a mark that changes before each attempt to reopen it. */
  private static final int LOOKS = 3;

  private static final Set<String> WITHOUT_MARK =
      Set.of(DeadLetter.Kind.MISSING_ID.name(), DeadLetter.Kind.MISSING_FINGERPRINT.name());

  /** Redrives a record, or returns the result that a redrive would have. */
  interface Step<X extends Exception> {
    RedriveResult take() throws X;
  }

  private final MarkAdmin store;
  private final String consumer;
  private final StoreClock clock = new StoreClock();
  private final RedriveSettings settings;
  private final boolean executes;
  private final DeadLetterSelection selection;
  private final DeadLetterSelection.Index index;
  private final int mostSamples;
  private final Set<String> found = new HashSet<>();
  private final Map<Bytes, StoredDeadLetter> published = new HashMap<>();
  private final List<RedriveSample> samples = new ArrayList<>();
  private boolean stopped;
  private long records;
  private long unmarked;
  private long notDead;
  private long refused;
  private Optional<Duration> oldest = Optional.empty();

  /** Begins a run, which asks the store for the time once; a dry run changes nothing. */
  RedriveRun(
      MarkAdmin store,
      String consumer,
      DeadLetterSelection selection,
      RedriveSettings settings,
      boolean executes) {
    this.store = store;
    this.consumer = consumer;
    this.settings = settings;
    this.executes = executes;
    this.selection = selection;
    this.index = selection.index();
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
    if (!settings.control().selects(record)) {
      return;
    }
    stopped = stopped || !settings.control().mayTake(record);
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
        ? new Refused(Text.of("record.twin"))
        : new NotDead(Text.of("record.redriven"));
  }

  /** Returns an age that is not negative, although the clocks of broker and store may differ. */
  private Duration age(Instant diedAt) {
    Instant now = clock.now(() -> store.now(MessageKey.of(consumer, "now")));
    Duration age = Duration.between(diedAt, now);
    return age.isNegative() ? Duration.ZERO : age;
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
    RedriveSample sample = new RedriveSample(record, age, answer);
    if (before < mostSamples) {
      samples.add(sample);
    }
    settings.control().taken(sample);
  }

  /** Counts a record that cannot be read. It has no id, so it is selected only if all are. */
  void unreadable(String coordinates, String why) {
    records++;
    DeadLetterMetadata none = DeadLetterMetadata.read(name -> Optional.empty());
    StoredDeadLetter record = new StoredDeadLetter(
        coordinates, Optional.empty(), none, Optional.empty(), Optional.empty());
    if (selection.ids().isEmpty() && !stopped && settings.control().selects(record)) {
      count(record, Optional.empty(), new Refused(Text.of("record.unreadable", why)));
    }
  }

  /**
   * Reopens the mark of a record's message, unless this is a dry run. It also reopens a mark that
   * was reopened before and not claimed since: if the store did not answer that time, a failover
   * could make the mark DEAD again. Returns {@link Published} if the message is to be published
   * now; otherwise why it must not be.
   *
   * <p>A mark that changed after it was read is read and judged again. Another operator may have
   * reopened it without publishing. So may this call: a client that loses a reply sends its command
   * again, and the store refuses the second one.
   *
   * <p>A missing mark stays missing, if the settings accept that. A mark that was lost, and that a
   * late renewal wrote anew, stays too: the message waits for the end of that lease and takes the
   * mark over.
   */
  RedriveResult reopen(StoredDeadLetter record) {
    Optional<Text> refusal = refusal(record);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    String scope = RetryingCalls.of(() -> Generations.scope(store, consumer));
    MessageKey key = MessageKey.of(scope, record.id().orElseThrow());
    for (int look = 0; look < LOOKS; look++) {
      Optional<Mark> mark = RetryingCalls.of(() -> store.find(List.of(key))).get(0);
      RedriveResult judged = judged(record, mark);
      if (!executes
          || !(judged instanceof Published)
          || hadNoMark(record)
          || mark.filter(RedriveRun::isDeadOrReopened).isEmpty()
          || store.resolve(
              key, mark.get().claim().token(), mark.get().state(), Resolution.REOPEN)) {
        return judged;
      }
    }
    return new Refused(Text.of("mark.changed"));
  }

  private Optional<Text> refusal(StoredDeadLetter record) {
    DeadLetterMetadata metadata = record.metadata(); // a broker may have stripped its texts
    if (!metadata.consumer().isEmpty() && !metadata.consumer().strip().equals(consumer.strip())) {
      return Optional.of(Text.of("record.other-consumer", metadata.consumer()));
    } else if (record.id().isEmpty()) {
      return Optional.of(Text.of("record.no-id"));
    }
    return otherId(record).or(record::flaw);
  }

  /**
   * Refuses a record whose message has another id now. Its mark would not be found under that id
   * and would stay DEAD, so that a consumer would acknowledge the message without running it.
   */
  private static Optional<Text> otherId(StoredDeadLetter record) {
    String died = record.metadata().messageId().strip();
    return hadNoMark(record) || died.isEmpty() || died.equals(record.name().strip())
        ? Optional.empty()
        : Optional.of(Text.of("record.other-id", record.name(), died));
  }

  private static boolean hadNoMark(StoredDeadLetter record) {
    return WITHOUT_MARK.contains(record.metadata().kind());
  }

  private static boolean diedOfConflict(StoredDeadLetter record) {
    return record.metadata().kind().equals(DeadLetter.Kind.CONFLICT.name());
  }

  /**
   * Decides by the mark under the message's id. If the message had no mark when it was
   * dead-lettered, it was never compared with this one: the consumer that receives it does that.
   */
  private RedriveResult judged(StoredDeadLetter record, Optional<Mark> mark) {
    if (diedOfConflict(record) && mark.filter(RedriveRun::takesAnyPayload).isEmpty()) {
      return new Refused(Text.of("record.conflict"));
    }
    if (!hadNoMark(record)) {
      return mark.map(this::judged).orElseGet(this::unmarked);
    }
    return mark.filter(it -> it.state() == MarkState.DEAD).isPresent()
        ? new Refused(Text.of("record.had-no-mark"))
        : unmarked();
  }

  private RedriveResult judged(Mark mark) {
    boolean unstarted = mark.claim().attempt().number() == 0;
    return switch (mark.state()) {
      case ABSENT -> unmarked();
      case DEAD -> new Published();
      case DONE -> new NotDead(Text.of("mark.done"));
      // a late renewal wrote an unstarted one anew: the message waits and takes it over
      case PROCESSING -> unstarted ? new Published() : new NotDead(Text.of("mark.handled"));
      // reopened before, or given back unstarted: one more copy is harmless
      case RETRY -> unstarted ? new Published() : new NotDead(Text.of("mark.retried"));
    };
  }

  private RedriveResult unmarked() {
    Published accepted = new Published(true);
    return settings.acceptUnmarked() ? accepted : new Refused(Text.of("record.unmarked"), true);
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

  RedriveFailedException failed(StoredDeadLetter record, Exception cause) {
    return new RedriveFailedException(
        Text.of("redrive.failed", record.name(), record.coordinates(), published.size()), cause);
  }

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
