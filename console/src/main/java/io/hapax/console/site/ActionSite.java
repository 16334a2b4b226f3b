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
import io.hapax.console.security.SignedInUser;
import io.hapax.console.security.Tickets;
import io.hapax.console.view.PlanView;
import io.hapax.console.view.View;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.replay.ReplayRefusedException;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the forms of actions. An action is executed only as its dry run has planned it, by a user
 * with the role, and after a line in the action log.
 */
final class ActionSite {

  private static final Logger LOG = LoggerFactory.getLogger(ActionSite.class);

  /** The actions that change nothing: every user may start and stop them. */
  static final Set<String> READING = Set.of("audit", "search");

  private static final int MOST_PLANS = 200;
  private static final Duration PLAN = Duration.ofMinutes(15);

  /** A dry run, which its user can execute once, and then its result. */
  private static final class Plan {

    private final String session;
    private Optional<Planned> open;
    private PlanView view;

    Plan(String session, PlanView view, Optional<Planned> open) {
      this.session = session;
      this.view = view;
      this.open = open;
    }

    synchronized Optional<Planned> take() {
      Optional<Planned> taken = open;
      open = Optional.empty();
      return taken;
    }

    synchronized PlanView view(String secret) {
      return open.isPresent() ? view.executedBy(secret) : view;
    }

    synchronized void ended(PlanView.State state, List<Text> lines, Text why) {
      view = new PlanView(view.action(), state, view.subject(), lines, why, "", view.back());
    }
  }

  private final Map<String, Action> actions;
  private final Tickets<Plan> plans;
  private final Predicate<String> sessions;
  private final Optional<RecordedActions> log;
  private final Runnable changed;

  /**
   * Answers forms. Without a log nothing can be changed; {@code changed} is called when something
   * may have changed; {@code sessions} returns whether a session is open.
   */
  ActionSite(
      Map<String, Action> actions,
      InstantSource clock,
      Predicate<String> sessions,
      Optional<RecordedActions> log,
      Runnable changed) {
    this.actions = Map.copyOf(actions);
    this.plans = new Tickets<>(MOST_PLANS, PLAN, clock);
    this.sessions = sessions;
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
    Fields fields = new Fields(visit.request().form());
    if (READING.contains(name)) { // needs neither the role nor a dry run
      return shown(visit, name, fields, planned(action, fields, planned -> ""));
    }
    RecordedActions recorded = log.filter(it -> identity.mayWrite())
        .orElseThrow(() -> new RefusedRequest(403, "forbidden", ""));
    String step = visit.request().form("step").orElse("");
    return switch (step) {
      case "plan" -> {
        ActionResult outcome =
            planned(action, fields, planned -> keep(visit, name, fields, planned));
        recorded.planned(identity, name, subject(fields), outcome);
        yield shown(visit, name, fields, outcome);
      }
      case "execute" -> execute(visit, recorded, identity, name);
      default -> throw new RefusedRequest(400, "bad-request", "step must be plan or execute");
    };
  }

  /** Stores a dry run or a refusal, and returns the secret of its page. */
  private String keep(Visit visit, String name, Fields fields, ActionResult outcome) {
    String session = visit.identity().orElseThrow().session();
    String back = fields.back().isEmpty() ? "/" + view(name).path() : fields.back();
    Optional<Planned> open =
        outcome instanceof Planned planned ? Optional.of(planned) : Optional.empty();
    PlanView.State state = open.isPresent() ? PlanView.State.PLANNED : PlanView.State.REFUSED;
    Text subject = open.map(Planned::subject).orElseGet(() -> subject(fields));
    List<Text> lines = open.map(Planned::lines).orElse(List.of());
    Text why = outcome instanceof Refused refused ? refused.why() : Text.NONE;
    PlanView view = new PlanView(name, state, subject, lines, why, "", back);
    return plans.add(new Plan(session, view, open));
  }

  /** Redirects to the page of the outcome, so that going back in the browser repeats no form. */
  private Response shown(Visit visit, String name, Fields fields, ActionResult outcome) {
    return visit.redirect(
        outcome instanceof Started started
            ? "/jobs/" + started.job().id()
            : "/plans/" + keep(visit, name, fields, outcome));
  }

  /** Shows a dry run or its result. */
  Response page(Visit visit, String secret) throws RefusedRequest {
    PlanView view = find(visit, secret)
        .map(it -> it.view(secret))
        .orElseThrow(() -> new RefusedRequest(404, "plan", ""));
    return visit.html(view(view.action()), "plan", view);
  }

  /** Finds a plan of the user, or of a session that has ended: its user has signed in again. */
  private Optional<Plan> find(Visit visit, String secret) {
    String own = visit.identity().orElseThrow().session();
    return plans.find(secret).filter(it -> it.session.equals(own) || !sessions.test(it.session));
  }

  private static ActionResult planned(
      Action action, Fields fields, Function<Planned, String> confirmation) {
    try {
      return action.plan(fields, confirmation);
    } catch (IllegalArgumentException
        | IllegalStateException
        | ReplayRefusedException
        | AuditFailedException e) {
      return new Refused(TextExceptions.text(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Refused(Text.of("job.interrupted"));
    } catch (Exception e) {
      LOG.warn("an action cannot be planned", e);
      return new Refused(TextExceptions.text(e));
    }
  }

  private Response execute(
      Visit visit, RecordedActions recorded, SignedInUser identity, String name)
      throws RefusedRequest {
    String secret = visit.request().form("plan").orElse("");
    Plan plan = find(visit, secret)
        .filter(it -> it.view.action().equals(name))
        .orElseThrow(ActionSite::noPlan);
    Planned planned = plan.take().orElseThrow(ActionSite::noPlan);
    Text subject = planned.subject();
    recorded.begins(identity, name, subject, planned.ids());
    Response shown = visit.redirect("/plans/" + secret);
    ActionResult outcome;
    try {
      outcome = planned.execution().execute();
    } catch (IllegalArgumentException | ReplayRefusedException e) {
      outcome = new Refused(TextExceptions.text(e));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.warn("action {} on {} failed", name, subject, e);
      recorded.ended(
          identity, name, subject, planned.ids(), Text.of("log.failed", TextExceptions.text(e)));
      plan.ended(PlanView.State.FAILED, List.of(), TextExceptions.text(e));
      return shown;
    }
    changed.run();
    if (outcome instanceof Started started) {
      plan.ended(
          PlanView.State.EXECUTED, List.of(Text.of("log.job", started.job().id())), Text.NONE);
      started.job().whenEnded(job -> {
        changed.run();
        recorded.ended(identity, name, planned, job);
      });
      return visit.redirect("/jobs/" + started.job().id());
    }
    recorded.ended(identity, name, subject, planned.ids(), RecordedActions.text(outcome));
    if (outcome instanceof Refused refused) {
      plan.ended(PlanView.State.REFUSED, List.of(), refused.why());
    } else if (outcome instanceof Executed executed) {
      plan.ended(PlanView.State.EXECUTED, executed.lines(), Text.NONE);
    }
    return shown;
  }

  private static RefusedRequest noPlan() {
    return new RefusedRequest(400, "bad-request", Text.of("plan.lost"));
  }

  /** Records that a user has stopped a job. */
  void stopped(Visit visit, Job job) {
    log.ifPresent(it -> it.stopped(visit.identity().orElseThrow(), job));
  }

  private static Text subject(Fields fields) {
    return Stream.of("id", "group", "topic", "expected")
        .flatMap(name -> fields.get(name).stream())
        .findFirst()
        .map(Text::plain)
        .orElse(Text.NONE);
  }

  /** Returns the view that an action belongs to. */
  static View view(String name) {
    return switch (name) {
      case "redrive" -> View.DEAD_LETTERS;
      case "replay", "generation", "audit" -> View.REPLAY;
      case "search" -> View.ID;
      default -> View.DOUBT;
    };
  }
}
