package io.hapax.console.site;

import io.hapax.console.action.Action;
import io.hapax.console.action.ActionResult;
import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.action.Fields;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.operations.FailureTexts;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.security.Tickets;
import io.hapax.console.view.PlanView;
import io.hapax.console.view.View;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.replay.ReplayRefusedException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

  private static final int MOST_PLANS = 200;
  private static final Duration PLAN = Duration.ofMinutes(15);

  /** The plan of a dry run, which its user can execute once. */
  private record Plan(String session, String action, Planned planned) {}

  private final Map<String, Action> actions;
  private final Tickets<Plan> plans;
  private final Optional<RecordedActions> log;
  private final Runnable changed;

  /**
   * Answers forms. Without a log nothing can be changed; {@code changed} is called when something
   * may have changed.
   */
  ActionSite(
      Map<String, Action> actions,
      InstantSource clock,
      Optional<RecordedActions> log,
      Runnable changed) {
    this.actions = Map.copyOf(actions);
    this.plans = new Tickets<>(MOST_PLANS, PLAN, clock);
    this.log = log;
    this.changed = changed;
  }

  /** Returns whether this console has the action. */
  boolean offers(String name) {
    return actions.containsKey(name);
  }

  Response post(Visit visit, String name) throws RefusedRequest {
    SignedInUser identity = visit.identity().orElseThrow();
    Action action = actions.get(name);
    if (action == null) {
      throw new RefusedRequest(404, "not-found", "");
    }
    if (name.equals(AUDIT)) {
      return audit(visit, action);
    }
    RecordedActions recorded = log.filter(it -> identity.mayWrite())
        .orElseThrow(() -> new RefusedRequest(403, "forbidden", ""));
    String step = visit.request().form("step").orElse("");
    return switch (step) {
      case "plan" -> plan(visit, recorded, identity, name, action);
      case "execute" -> execute(visit, recorded, identity, name);
      default -> throw new RefusedRequest(400, "bad-request", "step must be plan or execute");
    };
  }

  /** Starts an audit, which changes nothing and so needs neither the role nor a dry run. */
  private Response audit(Visit visit, Action action) {
    Fields fields = new Fields(visit.request().form());
    ActionResult outcome = planned(action, fields, planned -> "");
    return shown(visit, AUDIT, subject(fields), fields, outcome, Optional.empty());
  }

  private Response plan(
      Visit visit, RecordedActions recorded, SignedInUser identity, String name, Action action) {
    Fields fields = new Fields(visit.request().form());
    Function<Planned, String> confirmation =
        planned -> plans.add(new Plan(identity.session(), name, planned));
    ActionResult outcome = planned(action, fields, confirmation);
    Optional<String> plan = outcome instanceof Planned planned
        ? Optional.of(confirmation.apply(planned))
        : Optional.empty();
    recorded.planned(identity, name, subject(fields), outcome);
    return shown(visit, name, subject(fields), fields, outcome, plan);
  }

  private static ActionResult planned(
      Action action, Fields fields, Function<Planned, String> confirmation) {
    try {
      return action.plan(fields, confirmation);
    } catch (IllegalArgumentException
        | IllegalStateException
        | ReplayRefusedException
        | AuditFailedException e) {
      return new Refused(FailureTexts.text(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Refused("it was interrupted");
    } catch (Exception e) {
      LOG.warn("an action cannot be planned", e);
      return new Refused(FailureTexts.text(e));
    }
  }

  private Response execute(
      Visit visit, RecordedActions recorded, SignedInUser identity, String name)
      throws RefusedRequest {
    Planned planned = visit
        .request()
        .form("plan")
        .flatMap(secret -> plans
            .find(secret)
            .filter(it -> it.session().equals(identity.session()) && it.action().equals(name))
            .filter(it -> plans.remove(secret)))
        .map(Plan::planned)
        .orElseThrow(() -> new RefusedRequest(
            400,
            "bad-request",
            "the dry run is too old, was executed, or is not yours: repeat it"));
    String subject = planned.subject();
    Fields fields = new Fields(visit.request().form());
    recorded.begins(identity, name, subject);
    ActionResult outcome;
    try {
      outcome = planned.execution().execute();
    } catch (IllegalArgumentException | ReplayRefusedException e) {
      recorded.ended(identity, name, subject, "refused: " + FailureTexts.text(e));
      return without(visit, name, PlanView.State.REFUSED, subject, FailureTexts.text(e));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("action {} on {} failed", name, subject, e);
      recorded.ended(identity, name, subject, "failed: " + FailureTexts.text(e));
      return without(visit, name, PlanView.State.FAILED, subject, FailureTexts.text(e));
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
    return shown(visit, name, subject, fields, outcome, Optional.empty());
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

  /** Shows an outcome; {@code plan} executes it if it is planned. */
  private static Response shown(
      Visit visit,
      String name,
      String subject,
      Fields fields,
      ActionResult outcome,
      Optional<String> plan) {
    if (outcome instanceof Started started) {
      return visit.redirect("/jobs/" + started.job().id());
    } else if (outcome instanceof Refused refused) {
      return without(visit, name, PlanView.State.REFUSED, subject, refused.why());
    } else if (outcome instanceof Executed executed) {
      return page(
          visit, name, PlanView.State.EXECUTED, subject, executed.lines(), "", "", Map.of());
    }
    Planned planned = (Planned) outcome;
    return page(
        visit,
        name,
        PlanView.State.PLANNED,
        planned.subject(),
        planned.lines(),
        "",
        plan.orElse(""),
        fields.joined());
  }

  /** Shows why an action has no outcome. */
  private static Response without(
      Visit visit, String name, PlanView.State state, String subject, String why) {
    return page(visit, name, state, subject, List.of(), why, "", Map.of());
  }

  private static Response page(
      Visit visit,
      String name,
      PlanView.State state,
      String subject,
      List<String> lines,
      String why,
      String plan,
      Map<String, String> fields) {
    View view = view(name);
    String back = Visit.own(visit.request().form("back").orElse("/" + view.path()));
    return visit.html(
        view, "plan", new PlanView(name, state, subject, lines, why, plan, fields, back));
  }

  private static View view(String name) {
    return switch (name) {
      case "redrive" -> View.DEAD_LETTERS;
      case "replay", "generation", AUDIT -> View.REPLAY;
      default -> View.DOUBT;
    };
  }
}
