package io.hapax.console.site;

import io.hapax.console.action.Action;
import io.hapax.console.action.Confirmation;
import io.hapax.console.action.Fields;
import io.hapax.console.action.Outcome;
import io.hapax.console.action.Outcome.Planned;
import io.hapax.console.action.Outcome.Refused;
import io.hapax.console.action.Outcome.Started;
import io.hapax.console.action.Plans;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Failures;
import io.hapax.console.security.Identity;
import io.hapax.console.view.PlanView;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.replay.ReplayRefusedException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the forms of actions. An action is executed only as its dry run has planned it, by a user
 * with the role, and after a line in the action log.
 */
final class ActionSite {

  private static final Logger LOG = LoggerFactory.getLogger(ActionSite.class);
  static final String AUDIT = "audit";

  private final Map<String, Action> actions;
  private final Plans plans;
  private final Optional<RecordedActions> log;
  private final Runnable changed;

  /**
   * Answers forms. Without a log nothing can be changed; {@code changed} is called when something
   * may have changed.
   */
  ActionSite(
      Map<String, Action> actions, Plans plans, Optional<RecordedActions> log, Runnable changed) {
    this.actions = Map.copyOf(actions);
    this.plans = plans;
    this.log = log;
    this.changed = changed;
  }

  /** Returns whether this console has the action. */
  boolean offers(String name) {
    return actions.containsKey(name);
  }

  Response post(Visit visit, String name) throws Refusal {
    Identity identity = visit.identity().orElseThrow();
    Action action = actions.get(name);
    if (action == null) {
      throw new Refusal(404, "not-found", "");
    }
    if (name.equals(AUDIT)) {
      return audit(visit, action);
    }
    RecordedActions recorded =
        log.filter(it -> identity.mayWrite()).orElseThrow(() -> new Refusal(403, "forbidden", ""));
    String step = visit.request().form("step").orElse("");
    return switch (step) {
      case "plan" -> plan(visit, recorded, identity, name, action);
      case "execute" -> execute(visit, recorded, identity, name);
      default -> throw new Refusal(400, "bad-request", "step must be plan or execute");
    };
  }

  /** Starts an audit, which changes nothing and so needs neither the role nor a dry run. */
  private Response audit(Visit visit, Action action) {
    Fields fields = new Fields(visit.request().form());
    Outcome outcome = planned(action, fields, planned -> "");
    return ActionPages.of(visit, AUDIT, subject(fields), fields, outcome, Optional.empty());
  }

  private Response plan(
      Visit visit, RecordedActions recorded, Identity identity, String name, Action action) {
    Fields fields = new Fields(visit.request().form());
    Confirmation confirmation = planned -> plans.add(identity.session(), name, planned);
    Outcome outcome = planned(action, fields, confirmation);
    Optional<String> plan = outcome instanceof Planned planned
        ? Optional.of(confirmation.of(planned))
        : Optional.empty();
    recorded.planned(identity, name, subject(fields), outcome);
    return ActionPages.of(visit, name, subject(fields), fields, outcome, plan);
  }

  private static Outcome planned(Action action, Fields fields, Confirmation confirmation) {
    try {
      return action.plan(fields, confirmation);
    } catch (IllegalArgumentException
        | IllegalStateException
        | ReplayRefusedException
        | AuditFailedException e) {
      return new Refused(Failures.text(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Refused("it was interrupted");
    } catch (Exception e) {
      LOG.warn("an action cannot be planned", e);
      return new Refused(Failures.text(e));
    }
  }

  private Response execute(Visit visit, RecordedActions recorded, Identity identity, String name)
      throws Refusal {
    Planned planned = visit
        .request()
        .form("plan")
        .flatMap(secret -> plans.take(identity.session(), name, secret))
        .orElseThrow(() -> new Refusal(
            400,
            "bad-request",
            "the dry run is too old, was executed, or is not yours: repeat it"));
    String subject = planned.subject();
    Fields fields = new Fields(visit.request().form());
    recorded.begins(identity, name, subject);
    Outcome outcome;
    try {
      outcome = planned.execution().execute();
    } catch (IllegalArgumentException | ReplayRefusedException e) {
      recorded.ended(identity, name, subject, "refused: " + Failures.text(e));
      return ActionPages.without(visit, name, PlanView.State.REFUSED, subject, Failures.text(e));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("action {} on {} failed", name, subject, e);
      recorded.ended(identity, name, subject, "failed: " + Failures.text(e));
      return ActionPages.without(visit, name, PlanView.State.FAILED, subject, Failures.text(e));
    }
    changed.run();
    if (outcome instanceof Started started) {
      started.job().whenEnded(job -> {
        changed.run();
        recorded.ended(identity, name, subject, job);
      });
    } else {
      recorded.ended(identity, name, subject, outcome);
    }
    return ActionPages.of(visit, name, subject, fields, outcome, Optional.empty());
  }

  /** Records that a user has stopped a job. */
  void stopped(Visit visit, Job job) {
    log.ifPresent(it -> it.stopped(visit.identity().orElseThrow(), job));
  }

  private static String subject(Fields fields) {
    return Stream.of("id", "group", "topic", "expected")
        .flatMap(name -> fields.get(name).stream())
        .findFirst()
        .orElse("");
  }
}
