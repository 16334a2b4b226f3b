package io.hapax.console.site;

import io.hapax.console.http.Response;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.trial.Trial;
import io.hapax.console.trial.TrialAction;
import io.hapax.console.view.Notice;
import io.hapax.console.view.TrialView;
import io.hapax.console.view.View;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the view "Break it", and runs its actions without a dry run. */
final class TrialSite {

  private static final Logger LOG = LoggerFactory.getLogger(TrialSite.class);

  /** The name of all actions of a trial in the action log. */
  private static final String ACTION = "trial";

  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final int CONFLICT = 409;
  private static final int FAILED = 500;

  private final Trial trial;
  private final Optional<RecordedActions> log;

  /** Serves a trial. Without a log its actions are refused. */
  TrialSite(Trial trial, Optional<RecordedActions> log) {
    this.trial = trial;
    this.log = log;
  }

  Response page(Visit visit) {
    return visit.html(View.TRIAL, "trial", view(Optional.empty()));
  }

  Response events(Visit visit, Streams streams, BooleanSupplier mayGoOn) throws RefusedRequest {
    return streams.repeated(
        sink -> {
          TrialView view = view(Optional.empty());
          sink.event("score", visit.fragment(View.TRIAL, "trial-score", view));
          sink.event("trial", visit.fragment(View.TRIAL, "trial-state", view));
        },
        INTERVAL,
        mayGoOn);
  }

  private TrialView view(Optional<Notice> notice) {
    return new TrialView(trial.actions().stream().sorted().toList(), trial.state(), notice);
  }

  Response begin(Visit visit) throws RefusedRequest {
    SignedInUser identity = visit.identity().orElseThrow();
    RecordedActions recorded = log.filter(it -> identity.mayWrite())
        .orElseThrow(() -> new RefusedRequest(403, "forbidden", ""));
    TrialAction action = visit
        .request()
        .form("action")
        .flatMap(TrialAction::named)
        .filter(trial.actions()::contains)
        .orElseThrow(() ->
            new RefusedRequest(400, "bad-request", "action must be one of " + trial.actions()));
    Text subject = Text.plain(action.name());
    recorded.begins(identity, ACTION, subject, List.of());
    try {
      recorded.ended(identity, ACTION, subject, List.of(), Text.plain(trial.begin(action)));
      return swaps(visit)
          ? visit.html(View.TRIAL, "trial-answer", view(Optional.empty()))
          : visit.redirect("/" + View.TRIAL.path());
    } catch (IllegalStateException e) {
      Text refused = Text.of("log.refused", TextExceptions.text(e));
      recorded.ended(identity, ACTION, subject, List.of(), refused);
      return failed(visit, CONFLICT, "refused", e);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("{} failed", action, e);
      Text failed = Text.of("log.failed", TextExceptions.text(e));
      recorded.ended(identity, ACTION, subject, List.of(), failed);
      return failed(visit, FAILED, "failed", e);
    }
  }

  private Response failed(Visit visit, int status, String key, Exception why) {
    Optional<Notice> notice = Optional.of(new Notice(key, TextExceptions.text(why)));
    return visit.html(status, View.TRIAL, swaps(visit) ? "trial-answer" : "trial", view(notice));
  }

  /** Returns whether a script of the page swaps the answer into it, so that it does not jump. */
  private static boolean swaps(Visit visit) {
    return visit.request().header("hx-request").isPresent();
  }
}
