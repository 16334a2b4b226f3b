package io.hapax.console.site;

import io.hapax.console.action.Fields;
import io.hapax.console.action.Outcome;
import io.hapax.console.action.Outcome.Executed;
import io.hapax.console.action.Outcome.Planned;
import io.hapax.console.action.Outcome.Refused;
import io.hapax.console.action.Outcome.Started;
import io.hapax.console.http.Response;
import io.hapax.console.view.PlanView;
import io.hapax.console.view.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows what came of an action. */
final class ActionPages {

  private ActionPages() {}

  /** Shows an outcome; {@code plan} executes it if it is planned. */
  static Response of(
      Visit visit,
      String name,
      String subject,
      Fields fields,
      Outcome outcome,
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
  static Response without(
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
      case "replay", "generation", ActionSite.AUDIT -> View.REPLAY;
      default -> View.DOUBT;
    };
  }
}
