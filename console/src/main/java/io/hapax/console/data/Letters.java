package io.hapax.console.data;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.Failure;
import io.hapax.console.view.DeadLettersView;
import io.hapax.console.view.DeadLettersView.FailureGroup;
import io.hapax.console.view.LetterRow;
import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.Broker;
import io.hapax.operations.lookup.MessageSources;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
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

  private final Deployment deployment;
  private final Marks marks;
  private final Recent<Reading> recent;

  /** The records as rows, those that were read from a topic, and whether they are all. */
  private record Reading(List<LetterRow> rows, List<RedriveSample> samples, boolean complete) {}

  public Letters(Deployment deployment, Marks marks, InstantSource clock) {
    this.deployment = deployment;
    this.marks = marks;
    this.recent = new Recent<>(this::read, clock);
  }

  /**
   * Returns the groups of the requested dead-letter topic, or of that of the deployment;
   * {@code open} is the key of the group whose records are shown. Refuses a topic that does not
   * exist, or is not one of the consumer.
   */
  public DeadLettersView view(Optional<String> asked, Optional<String> open) throws Exception {
    String topic = topic(asked);
    Reading reading = recent.get(topic);
    List<FailureGroup> groups = groups(reading.rows());
    return new DeadLettersView(
        topic,
        deployment.targets(topic).stream().sorted().toList(),
        reading.rows().size(),
        reading.complete(),
        reading.rows().stream().flatMap(row -> row.age().stream()).max(Comparator.naturalOrder()),
        groups,
        open.flatMap(
            key -> groups.stream().filter(group -> group.key().equals(key)).findFirst()));
  }

  private String topic(Optional<String> asked) {
    return deployment.broker().isPresent() ? asked.orElse(deployment.letters()) : "";
  }

  /** Finds the records of a message among the newest ones of a topic. */
  MessageSources.DeadLetters find(Bytes id, String topic) throws Exception {
    try {
      Reading reading = recent.get(topic);
      List<RedriveSample> found = reading.samples().stream()
          .filter(sample -> sample.record().id().filter(id::equals).isPresent())
          .toList();
      boolean complete = reading.complete()
          && reading.samples().stream().noneMatch(sample -> sample.record().mayBeOf(id));
      return new MessageSources.DeadLetters(topic, found, complete, Text.NONE);
    } catch (AuditFailedException | IllegalArgumentException e) {
      // the mark is shown all the same
      return new MessageSources.DeadLetters(topic, List.of(), false, TextExceptions.text(e));
    }
  }

  List<LetterRow> conflicts() throws Exception {
    return recent.get(topic(Optional.empty())).rows().stream()
        .filter(row -> row.kind().equals(DeadLetter.Kind.CONFLICT.name()))
        .limit(SHOWN)
        .toList();
  }

  boolean hasTopic() {
    return !topic(Optional.empty()).isEmpty();
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

  private Reading read(String topic) throws Exception {
    return topic.isEmpty() ? ofMarks() : ofTopic(topic);
  }

  /** Clears the cache, because an action may have changed the records. Waits for no broker. */
  public void forget() {
    recent.forget();
  }

  private Reading ofMarks() {
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
            Text.NONE))
        .toList();
    return new Reading(rows, List.of(), rows.size() < MarkQuery.MAX_LIMIT);
  }

  private Reading ofTopic(String topic) throws Exception {
    List<RedriveSample> samples = new ArrayList<>();
    RedriveControl collector = new RedriveControl() {
      @Override
      public boolean mayTake(StoredDeadLetter record) {
        return samples.size() < MOST;
      }

      @Override
      public void taken(RedriveSample sample) {
        samples.add(sample);
      }
    };
    Set<String> targets = deployment.targets(topic);
    RedriveSettings settings = new RedriveSettings(
        targets.isEmpty() ? Set.of(Broker.NO_TARGET) : targets, false, collector);
    try (Redriver redriver = deployment.requireBroker().redriver(deployment.store())) {
      RedriveReport report = redriver.plan(
          TopicPart.all(topic),
          new StartingPoint.Newest(NEWEST),
          DeadLetterSelection.all(),
          settings);
      boolean complete = report.records() <= MOST
          && report.ranges().stream().allMatch(range -> range.length() < NEWEST);
      return new Reading(samples.stream().map(Letters::row).toList(), samples, complete);
    }
  }

  static LetterRow row(RedriveSample sample) {
    DeadLetterMetadata metadata = sample.record().metadata();
    return new LetterRow(
        MessageNames.of(sample.record()),
        sample.record().coordinates(),
        metadata.coordinates(),
        metadata.kind(),
        metadata.detail(),
        metadata.failedAt(),
        metadata.inDoubt(),
        sample.age(),
        sample.answer().getClass().getSimpleName(),
        sample.answer().why());
  }
}
