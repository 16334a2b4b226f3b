package io.hapax.console.site;

import io.hapax.console.action.ActionLog;
import io.hapax.console.action.ActionResult;
import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Job;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ActionRow;
import io.hapax.console.view.JobView;
import io.hapax.operations.text.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes to the action log what users plan, begin and stop, and how it ends. Thread-safe. */
final class RecordedActions {

  private static final Logger LOG = LoggerFactory.getLogger(RecordedActions.class);

  /** The most characters of the ids in one line, unless one id is longer. */
  private static final int LONGEST = 16_000;

  private final ActionLog log;
  private final InstantSource clock;

  RecordedActions(ActionLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /** Records a dry run; if that throws, its plan must not be shown. */
  void planned(SignedInUser identity, String action, Text subject, ActionResult outcome) {
    write(new ActionRow(
        clock.instant(), identity.name(), action, subject, List.of(), true, text(outcome)));
  }

  /** Records that an action on messages begins; if that throws, it must not begin. */
  void begins(SignedInUser identity, String action, Text subject, List<String> ids) {
    write(identity, action, subject, ids, Text.of("log.begins"));
  }

  /** Records how a job ended, with the messages that it has published. */
  void ended(SignedInUser identity, String action, Planned planned, Job job) {
    List<String> published = job.takePublished();
    JobView view = job.view();
    Text ended = Text.of(
        job.kind().equals("redrive") ? "log.published" : "log.changed",
        job.id(),
        Text.of("log.state." + view.state().name()),
        published.size());
    ended(
        identity,
        action,
        planned.subject(),
        published.isEmpty() ? planned.ids() : published,
        view.error().isEmpty() ? ended : Text.of("because", ended, view.error()));
  }

  /** Splits ids into lines of a bounded length; without ids there is one line. */
  private static List<List<String>> lines(List<String> ids) {
    List<List<String>> lines = new ArrayList<>(List.of(new ArrayList<>()));
    int length = 0;
    for (String id : ids) {
      if (length > 0 && length + id.length() > LONGEST) {
        lines.add(new ArrayList<>());
        length = 0;
      }
      lines.get(lines.size() - 1).add(id);
      length += id.length();
    }
    return lines;
  }

  void stopped(SignedInUser identity, Job job) {
    Text what = Text.of("because", Text.of("log.job", job.id()), job.view().title());
    ended(identity, "stop", Text.plain(job.kind()), List.of(), what);
  }

  /** Records what has happened. It has happened, even if that cannot be written. */
  void ended(SignedInUser identity, String action, Text subject, List<String> ids, Text result) {
    try {
      write(identity, action, subject, ids, result);
    } catch (RuntimeException e) {
      LOG.error(
          "not in the action log: {}, {} on {}: {}", identity.name(), action, subject, result, e);
    }
  }

  private void write(
      SignedInUser identity, String action, Text subject, List<String> ids, Text result) {
    for (List<String> some : lines(ids)) {
      write(new ActionRow(clock.instant(), identity.name(), action, subject, some, false, result));
    }
  }

  private void write(ActionRow row) {
    try {
      log.append(row);
    } catch (IOException e) {
      throw new UncheckedIOException("the action log cannot be written", e);
    }
  }

  /** Returns the result of an action, or of a dry run. */
  static Text text(ActionResult outcome) {
    if (outcome instanceof Refused refused) {
      return Text.of("log.refused", refused.why());
    } else if (outcome instanceof Started started) {
      return Text.of("log.job", started.job().id());
    } else if (outcome instanceof Executed executed) {
      return executed.lines().stream()
          .reduce((first, next) -> Text.of("log.and", first, next))
          .orElse(Text.NONE);
    }
    return Text.of("log.planned");
  }
}
