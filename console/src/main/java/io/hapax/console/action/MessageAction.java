package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.data.Marks;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.ReportJson;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes the message of the field {@code id}, or several messages in a job with one dry run: those
 * of several such fields, or with {@code all} those of the list that {@code kind} and
 * {@code filter} select.
 */
public final class MessageAction implements Action {

  /** Changes messages one by one. Its connections are opened when they are needed. */
  public interface Change extends AutoCloseable {

    /** Plans the change of one message: Planned or Refused. */
    ActionResult plan(String id) throws Exception;

    /** Closes the connections; a later call opens new ones. */
    @Override
    default void close() {}
  }

  private static final int SAMPLES = 20;

  private final String name;
  private final Marks marks;
  private final Jobs jobs;
  private final Function<Fields, Change> changes;

  /** Creates an action with a name in addresses; {@code changes} reads further fields. */
  public MessageAction(String name, Marks marks, Jobs jobs, Function<Fields, Change> changes) {
    this.name = name;
    this.marks = marks;
    this.jobs = jobs;
    this.changes = changes;
  }

  @Override
  public ActionResult plan(Fields fields, Function<Planned, String> confirmed) throws Exception {
    List<String> ids = fields.isOn("all")
        ? marks.ids(fields.require("kind"), fields.get("filter").orElse(""))
        : fields.all("id").stream().distinct().toList();
    Change change = changes.apply(fields);
    if (ids.size() != 1) {
      return several(ids, change, fields, confirmed);
    }
    try (change) {
      ActionResult answer = change.plan(ids.get(0));
      return answer instanceof Planned planned
          ? new Planned(planned.subject(), planned.ids(), planned.lines(), () -> {
            try (change) {
              return planned.execution().execute();
            }
          })
          : answer;
    }
  }

  private ActionResult several(
      List<String> ids, Change change, Fields fields, Function<Planned, String> confirmed) {
    if (ids.isEmpty()) {
      throw Text.of("messages.none").refusal();
    } else if (fields.isOn("force")) {
      throw Text.of("messages.force").refusal();
    }
    Text title = Text.of("messages", ids.size());
    return new Started(jobs.start(name, title, fields.back(), job -> {
      Tally tally = new Tally("tally.possible");
      List<Planned> possible = new ArrayList<>();
      try (change) {
        for (String id : ids) {
          ActionResult answer = planned(change, id);
          if (answer instanceof Planned planned) {
            possible.add(planned);
          }
          tally.add(id, answer);
          job.at(tally.count, ids.size());
        }
      }
      return new Job.Result(
          Text.joined(List.of(tally.text(), Text.lines(List.of(Text.of("dry-run.changed"))))),
          new ReportJson(),
          possible.isEmpty()
              ? Optional.empty()
              : Optional.of(confirmed.apply(plan(title, possible, change, fields))));
    }));
  }

  /** Plans one message of several: one that cannot be read does not stop the others. */
  private static ActionResult planned(Change change, String id) throws Exception {
    try {
      return change.plan(id);
    } catch (AuditFailedException | IllegalArgumentException e) {
      return new Refused(TextExceptions.text(e));
    }
  }

  private Planned plan(Text title, List<Planned> possible, Change change, Fields fields) {
    List<String> ids = possible.stream().flatMap(it -> it.ids().stream()).toList();
    return new Planned(
        title,
        ids,
        List.of(),
        () -> new Started(jobs.start(name, title, fields.back(), job -> {
          Tally tally = new Tally("tally.changed");
          try (change) {
            for (Planned planned : possible) {
              if (job.isStopped()) {
                break;
              }
              ActionResult answer = executed(planned, tally);
              if (answer instanceof Executed) {
                planned.ids().forEach(job::published);
              }
              tally.add(planned.ids().get(0), answer);
              job.reached(tally.count, possible.size());
            }
          }
          return new Job.Result(tally.text(), new ReportJson(), Optional.empty());
        })));
  }

  /** Executes the change of one message of several. If it fails, its result is unknown. */
  private static ActionResult executed(Planned planned, Tally tally) throws Exception {
    try {
      return planned.execution().execute();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw Text.of("result.unknown", planned.subject(), TextExceptions.text(e), tally.text())
          .failure(e);
    }
  }

  /** Counts answers, and keeps some of them. */
  private static final class Tally {

    private final String title;
    private final Map<Text, Integer> refused = new LinkedHashMap<>();
    private final List<Text> samples = new ArrayList<>();
    private int count;
    private int succeeded;

    Tally(String title) {
      this.title = title;
    }

    void add(String id, ActionResult answer) {
      count++;
      if (answer instanceof Refused no) {
        refused.merge(no.why(), 1, Integer::sum);
        sample(Text.of("tally.is-refused", id, no.why()));
        return;
      }
      succeeded++;
      List<Text> lines = answer instanceof Planned planned
          ? planned.lines()
          : answer instanceof Executed executed ? executed.lines() : List.of();
      lines.stream().reduce((first, last) -> last).ifPresent(this::sample);
    }

    private void sample(Text line) {
      if (samples.size() < SAMPLES) {
        samples.add(Text.of("tally.sample", line));
      }
    }

    Text text() {
      List<Text> lines = new ArrayList<>();
      lines.add(Text.of(title, count, succeeded, count - succeeded));
      refused.forEach((why, times) -> lines.add(Text.of("tally.refused", times, why)));
      lines.addAll(samples);
      if (count > samples.size()) {
        lines.add(Text.of("tally.more", count - samples.size()));
      }
      return Text.lines(lines);
    }
  }
}
