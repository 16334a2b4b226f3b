package io.hapax.console.site;

import io.hapax.console.action.ActionLog;
import io.hapax.console.action.ActionResult;
import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Job;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ActionRow;
import io.hapax.console.view.JobView;
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

  /** Of the ids in one line; the log cuts a longer text. */
  private static final int LONGEST = 1_500;

  private final ActionLog log;
  private final InstantSource clock;

  RecordedActions(ActionLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /** Records a dry run; if that throws, its plan must not be shown. */
  void planned(SignedInUser identity, String action, String subject, ActionResult outcome) {
    write(identity, action, subject, true, text(outcome));
  }

  /** Records that an action begins; if that throws, it must not begin. */
  void begins(SignedInUser identity, String action, String subject) {
    write(identity, action, subject, false, "begins");
  }

  void ended(SignedInUser identity, String action, String subject, ActionResult outcome) {
    ended(identity, action, subject, text(outcome));
  }

  /** Records how a job ended, and what it has published, in lines of a bounded length. */
  void ended(SignedInUser identity, String action, String subject, Job job) {
    List<String> published = job.takePublished();
    JobView view = job.view();
    ended(
        identity,
        action,
        subject,
        "job " + job.id() + " " + view.state()
            + (job.kind().equals("redrive") ? ", " + published.size() + " published" : "")
            + (view.error().isEmpty() ? "" : ": " + view.error()));
    lines(published)
        .forEach(
            line -> ended(identity, action, subject, "job " + job.id() + " published " + line));
  }

  private static List<String> lines(List<String> ids) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String id : ids) {
      if (line.length() + id.length() > LONGEST && !line.isEmpty()) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : ", ").append(id);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }

  void stopped(SignedInUser identity, Job job) {
    ended(identity, "stop", job.kind(), "job " + job.id() + ": " + job.view().title());
  }

  /** Records what has happened. It has happened, even if that cannot be written. */
  void ended(SignedInUser identity, String action, String subject, String result) {
    try {
      write(identity, action, subject, false, result);
    } catch (RuntimeException e) {
      LOG.error(
          "not in the action log: {}, {} on {}: {}", identity.name(), action, subject, result, e);
    }
  }

  private void write(
      SignedInUser identity, String action, String subject, boolean dryRun, String result) {
    try {
      log.append(new ActionRow(clock.instant(), identity.name(), action, subject, dryRun, result));
    } catch (IOException e) {
      throw new UncheckedIOException("the action log cannot be written", e);
    }
  }

  private static String text(ActionResult outcome) {
    if (outcome instanceof Refused refused) {
      return "refused: " + refused.why();
    } else if (outcome instanceof Started started) {
      return "job " + started.job().id();
    } else if (outcome instanceof Executed executed) {
      return String.join("; ", executed.lines());
    }
    return "planned";
  }
}
