package io.hapax.console.site;

import io.hapax.console.action.Action;
import io.hapax.console.action.ActionLog;
import io.hapax.console.action.GenerationAction;
import io.hapax.console.action.MessageAction;
import io.hapax.console.action.PublishAction;
import io.hapax.console.action.RedriveAction;
import io.hapax.console.action.ResolveAction;
import io.hapax.console.action.TopicActions;
import io.hapax.console.data.Findings;
import io.hapax.console.data.Letters;
import io.hapax.console.data.Marks;
import io.hapax.console.data.OneId;
import io.hapax.console.figures.Figures;
import io.hapax.console.figures.History;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.job.Audits;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.StoreLimit;
import io.hapax.console.page.Pages;
import io.hapax.console.security.CsrfTokens;
import io.hapax.console.security.Hosts;
import io.hapax.console.trial.Trial;
import io.hapax.console.view.View;
import io.hapax.mark.Resolution;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Assembles the parts of a console. */
public final class Sites implements AutoCloseable {

  /**
   * The settings of a console.
   *
   * @param log the action log; without one the console is read-only
   * @param hosts further accepted values of the header {@code Host}; empty if the header is not
   *     checked here
   * @param secure whether cookies are for TLS only
   */
  public record Rules(
      String base,
      Optional<String> token,
      Optional<ActionLog> log,
      boolean payloads,
      Optional<Set<String>> hosts,
      boolean secure,
      String version) {}

  private final Gate gate;
  private final Streams streams;
  private final Jobs jobs;
  private final Figures figures;

  /** Assembles the parts. */
  public Sites(
      Rules rules,
      Deployment deployment,
      Figures figures,
      Optional<Trial> trial,
      InstantSource clock) {
    this.figures = figures;
    this.jobs = new Jobs(clock);
    Audits audits = new Audits();
    Deployment shown = deployment.over(StoreLimit.on(deployment.store()));
    Marks marks = new Marks(shown, rules.payloads());
    Letters letters = new Letters(shown, marks, clock);
    History history = new History(figures, clock);
    Reading reading = new Reading(
        shown,
        marks,
        letters,
        new OneId(shown, marks, letters, audits, history, rules.log()),
        new Findings(shown, figures, audits, letters),
        history,
        jobs,
        rules.log());
    this.streams = new Streams(reading);
    Optional<SignIn> signIn =
        rules.token().map(token -> new SignIn(token, clock, rules, trial.isPresent()));
    Optional<RecordedActions> recorded = rules.log().map(log -> new RecordedActions(log, clock));
    ActionSite actions = new ActionSite(
        actions(deployment, marks, jobs, audits, rules.token().isEmpty()),
        clock,
        session -> signIn.isEmpty() || signIn.get().isOpen(session),
        recorded,
        letters::forget);
    Visit.Surroundings surroundings = new Visit.Surroundings(
        rules.base(),
        views(trial.isPresent()),
        deployment.consumer(),
        rules.token().isPresent(),
        rules.version(),
        new Pages(),
        new CsrfTokens(),
        history::view);
    this.gate = new Gate(
        surroundings,
        rules.hosts().map(Hosts::new),
        signIn,
        rules.log().isPresent(),
        new Routes(reading, streams, actions, trial.map(it -> new TrialSite(it, recorded))));
  }

  private static List<View> views(boolean trial) {
    return Arrays.stream(View.values()).filter(it -> trial || it != View.TRIAL).toList();
  }

  /**
   * Within an application neither its group nor the generation can be moved: the brokers refuse to
   * move a group with members, and its receiver would claim nothing in another generation.
   */
  private static Map<String, Action> actions(
      Deployment deployment, Marks marks, Jobs jobs, Audits audits, boolean withinApplication) {
    TopicActions topics = new TopicActions(deployment, jobs, audits);
    Map<String, Action> actions = new HashMap<>();
    Map<String, Resolution.Kind> resolutions = Map.of(
        "reopen", Resolution.Kind.REOPEN,
        "done", Resolution.Kind.FORCE_DONE,
        "reopen-any-payload", Resolution.Kind.REOPEN_ANY_PAYLOAD,
        "forget", Resolution.Kind.FORGET);
    resolutions.forEach((name, kind) -> actions.put(
        name,
        new MessageAction(
            name,
            marks,
            jobs,
            fields -> new ResolveAction(deployment, new Resolution(kind, fields.isOn("force"))))));
    actions.put(
        "redeliver",
        new MessageAction("redeliver", marks, jobs, fields -> new PublishAction(deployment, true)));
    if (deployment.canDeadLetter()) {
      actions.put(
          "dead-letter",
          new MessageAction(
              "dead-letter", marks, jobs, fields -> new PublishAction(deployment, false)));
    }
    actions.put("redrive", new RedriveAction(deployment, jobs));
    if (!withinApplication) {
      actions.put("replay", topics::replay);
      actions.put("generation", new GenerationAction(deployment));
    }
    actions.put("audit", topics::audit);
    actions.put("search", topics::search);
    return actions;
  }

  /** Handles a request. */
  public Response answer(Request request) {
    return gate.answer(request);
  }

  /** Stops streams and jobs. */
  @Override
  public void close() {
    streams.close();
    jobs.close();
    figures.close();
  }
}
