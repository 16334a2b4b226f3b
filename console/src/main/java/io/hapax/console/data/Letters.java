package io.hapax.console.data;

import io.hapax.DeadLetter;
import io.hapax.audit.AuditFailedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.console.operations.Broker;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.Failure;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.DeadLettersView;
import io.hapax.console.view.DeadLettersView.FailureGroup;
import io.hapax.console.view.LetterRow;
import io.hapax.mark.Mark;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveControl;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSample;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.StoredDeadLetter;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Groups dead letters by failure. Reads the newest records of the dead-letter topic or, without a
 * topic, the dead marks. Caches the result for some seconds.
 */
public final class Letters {

  /** The number of offsets that are read back from the end of each partition. */
  private static final long NEWEST = 2_000;

  private static final int MOST = 5_000;
  private static final int SHOWN = 100;
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final Deployment deployment;
  private final Marks marks;
  private final InstantSource clock;
  private Optional<Reading> kept = Optional.empty();
  private Optional<Failed> failed = Optional.empty();

  /** The cached records. */
  private record Reading(String topic, Instant at, List<LetterRow> rows, boolean complete) {}

  /** The latest failure, so that callers who have waited for it do not wait once more. */
  private record Failed(String topic, Instant at, AuditFailedException why) {}

  /**
   * Creates a reader.
   *
   * @param deployment the consumer
   * @param marks its marks
   * @param clock returns the current time
   */
  public Letters(Deployment deployment, Marks marks, InstantSource clock) {
    this.deployment = deployment;
    this.marks = marks;
    this.clock = clock;
  }

  /**
   * Returns the groups.
   *
   * @param asked the requested dead-letter topic; empty for that of the deployment
   * @param open the key of the group whose records are shown
   * @return the groups, largest first
   * @throws Exception if the store or the broker does not answer
   */
  public DeadLettersView view(Optional<String> asked, Optional<String> open) throws Exception {
    String topic = topic(asked);
    Reading reading = reading(topic);
    List<FailureGroup> groups = groups(reading.rows());
    return new DeadLettersView(
        topic,
        deployment.topic().isEmpty() ? List.of() : List.of(deployment.topic()),
        reading.rows().size(),
        reading.complete(),
        reading.rows().stream().flatMap(row -> row.age().stream()).max(Comparator.naturalOrder()),
        groups.stream().map(Letters::withoutRows).toList(),
        open.flatMap(
            key -> groups.stream().filter(group -> group.key().equals(key)).findFirst()));
  }

  private String topic(Optional<String> asked) {
    return deployment.broker().isPresent() ? asked.orElse(deployment.letters()) : "";
  }

  /**
   * Finds the record of a message among the newest ones.
   *
   * @param id its id
   * @return the record; empty if it is not among them
   * @throws Exception if the broker does not answer
   */
  Optional<LetterRow> find(String id) throws Exception {
    return reading(topic(Optional.empty())).rows().stream()
        .filter(row -> row.id().equals(id))
        .findFirst();
  }

  List<LetterRow> conflicts() throws Exception {
    return reading(topic(Optional.empty())).rows().stream()
        .filter(row -> row.kind().equals(DeadLetter.Kind.CONFLICT.name()))
        .limit(SHOWN)
        .toList();
  }

  boolean hasTopic() {
    return !topic(Optional.empty()).isEmpty();
  }

  private static FailureGroup withoutRows(FailureGroup group) {
    return new FailureGroup(
        group.key(), group.kind(), group.failure(), group.count(), group.inDoubt(), List.of());
  }

  private static List<FailureGroup> groups(List<LetterRow> rows) {
    Map<Failure, List<LetterRow>> byFailure = new LinkedHashMap<>();
    for (LetterRow row : rows) {
      byFailure
          .computeIfAbsent(
              Failure.of(row.kind(), row.detail(), row.failedAt()), it -> new ArrayList<>())
          .add(row);
    }
    return byFailure.entrySet().stream()
        .map(entry -> group(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(FailureGroup::count).reversed())
        .toList();
  }

  private static FailureGroup group(Failure failure, List<LetterRow> rows) {
    return new FailureGroup(
        failure.key(),
        failure.kind(),
        failure.text(),
        rows.size(),
        rows.stream().filter(LetterRow::inDoubt).count(),
        rows.stream().limit(SHOWN).toList());
  }

  private synchronized Reading reading(String topic) throws Exception {
    Instant now = clock.instant();
    Optional<Reading> usable =
        kept.filter(it -> it.topic().equals(topic) && now.isBefore(it.at().plus(KEPT)));
    if (usable.isPresent()) {
      return usable.get();
    }
    Optional<Failed> latest =
        failed.filter(it -> it.topic().equals(topic) && now.isBefore(it.at().plus(KEPT)));
    if (latest.isPresent()) {
      throw latest.get().why();
    }
    try {
      Reading reading = topic.isEmpty() ? ofMarks(now) : ofTopic(topic, now);
      kept = Optional.of(reading);
      return reading;
    } catch (AuditFailedException e) {
      failed = Optional.of(new Failed(topic, clock.instant(), e));
      throw e;
    }
  }

  /** Clears the cache, because an action may have changed the records. */
  public synchronized void forget() {
    kept = Optional.empty();
    failed = Optional.empty();
  }

  private Reading ofMarks(Instant now) {
    List<Mark> dead = marks.dead();
    Instant storeTime = marks.now();
    List<LetterRow> rows = dead.stream()
        .map(mark -> marks.row(mark, storeTime))
        .map(row -> new LetterRow(
            row.id(),
            "",
            row.coordinates(),
            "",
            row.detail(),
            "",
            row.inDoubt(),
            Optional.of(Duration.between(row.until(), storeTime)),
            "",
            ""))
        .toList();
    return new Reading("", now, rows, rows.size() < MarkQuery.MAX_LIMIT);
  }

  private Reading ofTopic(String topic, Instant now) throws Exception {
    List<LetterRow> rows = new ArrayList<>();
    RedriveControl collector = new RedriveControl() {
      private String id = ""; // of the record that is taken next; a sample shortens it

      @Override
      public boolean selects(StoredDeadLetter record) {
        id = ReportJson.whole(record);
        return true;
      }

      @Override
      public boolean mayTake(StoredDeadLetter record) {
        return rows.size() < MOST;
      }

      @Override
      public void taken(RedriveSample sample) {
        rows.add(row(id, sample));
      }
    };
    Set<String> targets =
        Set.of(deployment.topic().isEmpty() ? Broker.NO_TARGET : deployment.topic());
    RedriveSettings settings = new RedriveSettings(targets, false).controlledBy(collector);
    boolean complete = true;
    try (Broker.Redriver redriver =
        deployment.requireBroker().redriver(deployment.store(), settings)) {
      RedriveReport report = redriver.plan(
          TopicPart.all(topic), StartingPoint.newest(NEWEST), DeadLetterSelection.all());
      complete = report.records() <= MOST
          && report.ranges().stream().allMatch(range -> range.length() < NEWEST);
    }
    return new Reading(topic, now, List.copyOf(rows), complete);
  }

  private static LetterRow row(String id, RedriveSample sample) {
    return new LetterRow(
        id,
        sample.coordinates(),
        sample.metadata().coordinates(),
        sample.metadata().kind(),
        sample.metadata().detail(),
        sample.metadata().failedAt(),
        sample.metadata().inDoubt(),
        sample.age(),
        sample.answer().getClass().getSimpleName(),
        sample.answer().why());
  }
}
