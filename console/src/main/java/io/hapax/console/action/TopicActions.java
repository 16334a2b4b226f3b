package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Audits;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.Doubts;
import io.hapax.console.operations.ReportJson;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.lookup.TopicSearch;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Audits a topic, searches it for one message, and moves a stopped group. */
public final class TopicActions {

  private final Deployment deployment;
  private final Jobs jobs;
  private final Audits audits;

  public TopicActions(Deployment deployment, Jobs jobs, Audits audits) {
    this.deployment = deployment;
    this.jobs = jobs;
    this.audits = audits;
  }

  /** Starts an audit, which changes nothing, so that it needs no confirmation. */
  public ActionResult audit(Fields fields, Function<Planned, String> confirmed) {
    Broker broker = deployment.requireBroker();
    TopicPart part = part(fields);
    StartingPoint from = from(fields);
    Text title = Text.of("audit.title", part.topic(), from.text());
    return new Started(jobs.start("audit", title, fields.back(), job -> {
      AuditReport report = broker.audit(deployment.store(), job).run(part, from);
      audits.ended(report);
      List<Text> text = new ArrayList<>();
      text.add(line("audit.head", deployment.consumer(), part.topic(), from.text()));
      add(text, report);
      return new Job.Result(
          Text.joined(text), new ReportJson().with("audit", report), Optional.empty());
    }));
  }

  /** Starts a search of the topic for the field bytes, an id in hexadecimal. Changes nothing. */
  public ActionResult search(Fields fields, Function<Planned, String> confirmed) {
    Broker broker = deployment.requireBroker();
    String topic = fields.get("topic").orElse(deployment.topic());
    String bytes = fields.require("bytes");
    Bytes id = MessageNames.bytesOf(bytes)
        .orElseThrow(() -> Text.of("field.not-hexadecimal", "bytes", bytes).refusal());
    Text title = Text.of("because", topic, MessageNames.of(id));
    return new Started(jobs.start("search", title, fields.back(), job -> {
      TopicSearch found =
          TopicSearch.run(broker, deployment.store(), topic, deployment.group(), id, job);
      audits.searched(id, found);
      return new Job.Result(found.toText(), new ReportJson().with(found), Optional.empty());
    }));
  }

  private TopicPart part(Fields fields) {
    return TopicPart.all(fields.get("topic").orElse(deployment.topic()));
  }

  private static StartingPoint from(Fields fields) {
    return StartingPoint.parse(fields.get("from").orElse("beginning"));
  }

  /** Starts the dry run of a replay, for the fields topic, group, from and accept. */
  public ActionResult replay(Fields fields, Function<Planned, String> confirmed) {
    Broker broker = deployment.requireBroker();
    TopicPart part = part(fields);
    String group = fields.get("group").orElse(deployment.group());
    StartingPoint from = from(fields);
    boolean accept = fields.isOn("accept");
    Text title = Text.of("replay.plan", group, part.topic(), from.text());
    return new Started(jobs.start("replay", title, fields.back(), job -> {
      // Read before the audit, which compares the topic with the marks of this generation.
      int generation = generation();
      try (GroupReplay replay = broker.replay(group)) {
        ReplayPlan plan = replay.plan(part, from);
        List<Text> text = new ArrayList<>(List.of(plan.toText()));
        ReportJson json = new ReportJson();
        boolean harmless = judge(broker, plan, job, text, json);
        text.add(line(harmless || accept ? "dry-run.moved" : "replay.unsettled"));
        Optional<String> confirm = harmless || accept
            ? Optional.of(confirmed.apply(new Planned(
                title, List.of(), List.of(plan.toText()), () -> execute(broker, plan, generation))))
            : Optional.empty();
        return new Job.Result(Text.joined(text), json.with(plan, false), confirm);
      }
    }));
  }

  private static Text line(String key, Object... arguments) {
    return Text.lines(List.of(Text.of(key, arguments)));
  }

  /** Returns whether the move neither repeats nor loses an effect. */
  private boolean judge(Broker broker, ReplayPlan plan, Job job, List<Text> text, ReportJson json)
      throws Exception {
    AuditReport again = broker.audit(deployment.store(), job).runAgain(plan);
    text.add(line("replay.redelivered"));
    add(text, again);
    json.with("again", again);
    if (plan.skipped() == 0) {
      return again.settled();
    }
    AuditReport skipped = broker.audit(deployment.store(), job).runSkipped(plan);
    text.add(line("replay.lost"));
    text.add(skipped.toText());
    json.with("skipped", skipped);
    return again.settled() && skipped.skippable();
  }

  /** Adds a report, and a line if it has no mark at all; it has its own line about ids. */
  private void add(List<Text> text, AuditReport report) {
    if (report.doubt().isEmpty()) {
      Doubts.about(report, deployment.store())
          .ifPresent(why -> text.add(line("audit.doubtful", why)));
    }
    text.add(report.toText());
  }

  private int generation() {
    return Generations.current(deployment.store(), deployment.consumer());
  }

  private ActionResult execute(Broker broker, ReplayPlan plan, int generation) throws Exception {
    if (generation() != generation) {
      return new Refused(Text.of("generation.since"));
    }
    try (GroupReplay replay = broker.replay(plan.group())) {
      replay.execute(plan);
    }
    return new Executed(List.of(Text.of("group.was-moved")));
  }
}
