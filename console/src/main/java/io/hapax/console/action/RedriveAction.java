package io.hapax.console.action;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.Failure;
import io.hapax.console.operations.ReportJson;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.operations.redrive.RedriveControl;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Redrives dead letters: selected ones, a group with the same failure, or all. */
public final class RedriveAction implements Action {

  /** The maximum rate, in records a second. */
  private static final int FASTEST = 100_000;

  private static final int DEFAULT_RATE = 100;
  private static final int MOST_IDS = 10_000;

  /** The maximum number of records that a dry run remembers. */
  private static final int MOST_RECORDS = 100_000;

  private final Deployment deployment;
  private final Jobs jobs;

  /** The request of the form. */
  private record Order(
      TopicPart letters,
      Set<String> targets,
      boolean acceptUnmarked,
      List<String> ids,
      Optional<String> group,
      int rate) {

    RedriveSettings settings(RedriveControl control) {
      return new RedriveSettings(targets, acceptUnmarked, control);
    }

    DeadLetterSelection selection() {
      return ids.isEmpty() ? DeadLetterSelection.all() : DeadLetterSelection.of(ids);
    }

    /** Returns whether the record belongs to the requested group, if one was requested. */
    boolean holds(StoredDeadLetter record) {
      DeadLetterMetadata metadata = record.metadata();
      Failure failure = Failure.of(metadata.kind(), metadata.detail(), metadata.failedAt());
      return group.filter(key -> !failure.key().equals(key)).isEmpty();
    }

    Text title() {
      Text some = ids.size() == 1 ? Text.plain(ids.get(0)) : Text.of("messages", ids.size());
      Text which = group
          .map(it -> Text.of("records.group", it))
          .orElse(ids.isEmpty() ? Text.of("records.all") : some);
      return Text.of("redrive.title", letters.topic(), which, String.join(", ", targets), rate);
    }
  }

  public RedriveAction(Deployment deployment, Jobs jobs) {
    this.deployment = deployment;
    this.jobs = jobs;
  }

  @Override
  public ActionResult plan(Fields fields, Function<Planned, String> confirmed) {
    Broker broker = deployment.requireBroker();
    Order order = order(fields);
    return new Started(jobs.start("redrive", order.title(), fields.back(), job -> {
      Map<String, String> planned = new LinkedHashMap<>();
      RedriveControl control =
          new PacedRun(job, order::holds, Duration.ZERO, -1, sample -> remember(sample, planned));
      RedriveReport report;
      try (Redriver redriver = broker.redriver(deployment.store())) {
        report = redriver.plan(
            order.letters(), StartingPoint.beginning(), order.selection(), order.settings(control));
      }
      boolean possible = report.published() > 0 && !job.isStopped();
      Planned plan = new Planned(
          order.title(),
          planned.values().stream().distinct().toList(),
          List.of(report.toText()),
          () -> execute(broker, order, planned, fields));
      return new Job.Result(
          Text.joined(List.of(report.toText(), Text.lines(List.of(Text.of("dry-run.published"))))),
          new ReportJson().with(report),
          possible ? Optional.of(confirmed.apply(plan)) : Optional.empty());
    }));
  }

  /** Adds the coordinates and the id of a record to publish. Refuses more than the limit. */
  static void remember(RedriveSample sample, Map<String, String> planned) {
    if (sample.answer() instanceof Published) {
      if (planned.size() == MOST_RECORDS) {
        throw Text.of("records.too-many", MOST_RECORDS).refusal();
      }
      planned.put(sample.record().coordinates(), MessageNames.of(sample.record()));
    }
  }

  /** Redrives only records that the dry run has shown, and no later ones. */
  private ActionResult execute(
      Broker broker, Order order, Map<String, String> planned, Fields fields) {
    return new Started(jobs.start("redrive", order.title(), fields.back(), job -> {
      RedriveControl control = new PacedRun(
          job,
          record -> planned.containsKey(record.coordinates()),
          Duration.ofSeconds(1).dividedBy(order.rate()),
          planned.size(),
          sample -> {
            if (sample.answer() instanceof Published) {
              job.published(MessageNames.of(sample.record()));
            }
          });
      try (Redriver redriver = broker.redriver(deployment.store())) {
        RedriveReport report = redriver.redrive(
            order.letters(), StartingPoint.beginning(), order.selection(), order.settings(control));
        return new Job.Result(report.toText(), new ReportJson().with(report), Optional.empty());
      }
    }));
  }

  private Order order(Fields fields) {
    List<String> ids = fields.all("id");
    Optional<String> group = fields.get("group");
    boolean all = fields.isOn("all");
    if ((ids.isEmpty() ? 0 : 1) + (group.isPresent() ? 1 : 0) + (all ? 1 : 0) != 1) {
      throw Text.of("records.which").refusal();
    }
    if (ids.size() > MOST_IDS) {
      throw Text.of("records.ids", ids.size(), MOST_IDS).refusal();
    }
    String letters = fields.get("topic").orElse(deployment.letters());
    Set<String> targets = Arrays.stream(fields
            .get("to")
            .orElseGet(() -> String.join(",", deployment.targets(letters)))
            .split(",", -1))
        .map(String::strip)
        .filter(topic -> !topic.isEmpty())
        .collect(Collectors.toCollection(LinkedHashSet::new));
    return new Order(
        TopicPart.all(letters), targets, fields.isOn("unmarked"), ids, group, rate(fields));
  }

  private static int rate(Fields fields) {
    String text = fields.get("rate").orElse(Integer.toString(DEFAULT_RATE)).strip();
    int rate = text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    if (rate < 1 || rate > FASTEST) {
      throw Text.of("redrive.rate", text, FASTEST).refusal();
    }
    return rate;
  }
}
