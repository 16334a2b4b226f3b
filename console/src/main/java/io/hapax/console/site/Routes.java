package io.hapax.console.site;

import io.hapax.console.action.ActionLog;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.meters.StoreMeters;
import io.hapax.console.operations.Deployment;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ConsumersView;
import io.hapax.console.view.DoubtView;
import io.hapax.console.view.JobView;
import io.hapax.console.view.ReplayView;
import io.hapax.console.view.Setting;
import io.hapax.console.view.View;
import io.hapax.generation.Generations;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Routes the requests of signed-in users, and serves the pages of the views. */
final class Routes {

  private final JsonPages json;
  private final Streams streams;
  private final ActionSite actions;
  private final Reading reading;
  /** Whether this console moves the group and the generation. */
  private final boolean moves;

  private final Optional<TrialSite> trial;

  Routes(Reading reading, Streams streams, ActionSite actions, Optional<TrialSite> trial) {
    this.moves = actions.offers("generation");
    this.json = new JsonPages(reading);
    this.streams = streams;
    this.actions = actions;
    this.reading = reading;
    this.trial = trial;
  }

  /** Handles a request. {@code mayGoOn} returns whether the user is still signed in. */
  Response answer(Visit visit, BooleanSupplier mayGoOn) throws Exception {
    return visit.request().reads() ? page(visit, mayGoOn) : form(visit);
  }

  /** Returns the figures for Prometheus. */
  Response metrics(String consumer) {
    return Response.text(
        200, StoreMeters.TYPE, StoreMeters.text(consumer, reading.history().view()));
  }

  private Response page(Visit visit, BooleanSupplier signedIn) throws Exception {
    BooleanSupplier mayGoOn = signedIn;
    if (visit.request().query("once").isPresent()) { // a browser that polls: one round of events
      AtomicBoolean first = new AtomicBoolean(true);
      mayGoOn = () -> first.getAndSet(false) && signedIn.getAsBoolean();
    }
    return switch (visit.path()) {
      case "/", "/now" -> visit.html(View.NOW, "now", reading.history().view());
      case "/now/series.json" -> json.series();
      case "/now/events" -> streams.now(streamed(visit), mayGoOn);
      case "/id" -> id(visit);
      case "/doubt" -> doubt(visit);
      case "/deadletters" -> letters(visit);
      case "/duplicates" ->
        visit.html(View.DUPLICATES, "duplicates", reading.findings().duplicates());
      case "/conflicts" ->
        visit.html(View.CONFLICTS, "conflicts", reading.findings().conflicts());
      case "/replay" -> replay(visit);
      case "/consumers" -> consumers(visit);
      case "/trial" -> trial().page(visit);
      case "/trial/events" -> trial().events(streamed(visit), streams, mayGoOn);
      case "/json/stale" -> json.stale(visit);
      case "/json/generation" -> json.generation();
      case "/json/audit" -> json.newest("audit");
      case "/json/replay" -> json.newest("replay");
      case "/json/redrive" -> json.newest("redrive");
      default -> job(visit, mayGoOn);
    };
  }

  private TrialSite trial() throws RefusedRequest {
    return trial.orElseThrow(() -> new RefusedRequest(404, "not-found", ""));
  }

  private Response job(Visit visit, BooleanSupplier mayGoOn) throws Exception {
    String[] parts = visit.path().split("/", -1);
    if (parts.length == 3 && parts[1].equals("plans")) {
      return actions.page(visit, parts[2]);
    } else if (parts.length == 3 && parts[1].equals("jobs")) {
      JobView job = reading.job(parts[2]).view();
      return visit.html(ActionSite.view(job.kind()), "job", job);
    } else if (parts.length == 4 && parts[1].equals("jobs") && parts[3].equals("events")) {
      return streams.job(streamed(visit), parts[2], mayGoOn);
    } else if (parts.length == 4 && parts[1].equals("jobs") && parts[3].equals("json")) {
      return json.job(parts[2]);
    }
    throw new RefusedRequest(404, "not-found", "");
  }

  /** Refuses HEAD, because its response would occupy one of the streams. */
  private static Visit streamed(Visit visit) throws RefusedRequest {
    if (!visit.request().method().equals("GET")) {
      throw new RefusedRequest(405, "method", "");
    }
    return visit;
  }

  private Response form(Visit visit) throws Exception {
    String[] parts = visit.path().split("/", -1);
    if (parts.length == 3 && parts[1].equals("actions")) {
      return actions.post(visit, parts[2]);
    } else if (visit.path().equals("/trial")) {
      return trial().begin(visit);
    } else if (parts.length == 4 && parts[1].equals("jobs") && parts[3].equals("stop")) {
      return stop(visit, parts[2]);
    }
    throw new RefusedRequest(404, "not-found", "");
  }

  /** Stops a job. Jobs that change something need the role for write actions. */
  private Response stop(Visit visit, String id) throws RefusedRequest {
    var job = reading.job(id);
    Optional<SignedInUser> writer = visit.identity().filter(SignedInUser::mayWrite);
    if (!ActionSite.READING.contains(job.kind()) && writer.isEmpty()) {
      throw new RefusedRequest(403, "forbidden", "");
    }
    job.stop();
    actions.stopped(visit, job);
    return visit.redirect("/jobs/" + id);
  }

  private Response id(Visit visit) throws Exception {
    String id = visit.request().query("id").orElse("");
    return visit.html(View.ID, "id", reading.oneId().view(id));
  }

  private Response doubt(Visit visit) {
    Request request = visit.request();
    DoubtView view = reading
        .marks()
        .page(
            request.query("kind").orElse("stale"),
            request.query("filter").orElse("").strip(),
            request.query("after"));
    boolean rowsOnly = request.header("hx-request").isPresent()
        && request.header("hx-target").filter("rows"::equals).isPresent();
    return visit.html(View.DOUBT, rowsOnly ? "doubt-rows" : "doubt", view);
  }

  private Response letters(Visit visit) throws Exception {
    Request request = visit.request();
    return visit.html(
        View.DEAD_LETTERS,
        "deadletters",
        reading.letters().view(request.query("topic"), request.query("group")));
  }

  private Response replay(Visit visit) {
    Deployment deployment = reading.deployment();
    Request request = visit.request();
    Optional<JobView> audit = reading.jobs().newest("audit").map(Job::view);
    Optional<JobView> plan = reading.jobs().newest("replay").map(Job::view);
    return visit.html(
        View.REPLAY,
        "replay",
        new ReplayView(
            step(audit, plan),
            request.query("topic").orElse(deployment.topic()),
            request.query("group").orElse(deployment.group()),
            request.query("from").orElse("beginning"),
            generation(),
            moves,
            deployment.broker().isPresent(),
            audit,
            plan,
            reading.jobs().list().stream().map(Job::view).toList()));
  }

  private ReplayView.Step step(Optional<JobView> audit, Optional<JobView> plan) {
    if (reading.deployment().broker().isEmpty()) {
      return ReplayView.Step.GENERATION;
    } else if (!moves || audit.filter(it -> it.state() == JobView.State.ENDED).isEmpty()) {
      return ReplayView.Step.AUDIT;
    }
    return plan.filter(it -> it.state() == JobView.State.ENDED).isEmpty()
        ? ReplayView.Step.REPLAY
        : ReplayView.Step.GENERATION;
  }

  private OptionalInt generation() {
    try {
      Deployment deployment = reading.deployment();
      return OptionalInt.of(Generations.current(deployment.store(), deployment.consumer()));
    } catch (StoreException e) {
      return OptionalInt.empty();
    }
  }

  private List<String> warnings() {
    try {
      return reading.deployment().store().warnings();
    } catch (StoreException e) {
      return List.of("the settings of the store cannot be read: " + e.getMessage());
    }
  }

  private Response consumers(Visit visit) throws Exception {
    Deployment deployment = reading.deployment();
    List<Setting> settings = new ArrayList<>();
    settings.add(new Setting("consumer", deployment.consumer()));
    OptionalInt generation = generation();
    settings.add(new Setting(
        "generation", generation.isPresent() ? Integer.toString(generation.getAsInt()) : "?"));
    settings.add(new Setting("retention", deployment.store().retention().toString()));
    add(settings, "topic", deployment.topic());
    add(settings, "group", deployment.group());
    add(settings, "letters", deployment.letters());
    settings.addAll(deployment.settings());
    ActionLog.Page page = reading.log().isPresent()
        ? reading.log().get().page(visit.request().query("before"))
        : new ActionLog.Page(List.of(), Optional.empty());
    return visit.html(
        View.CONSUMERS,
        "consumers",
        new ConsumersView(
            settings,
            warnings(),
            deployment.versions(),
            page.rows(),
            page.next(),
            reading.log().map(log -> log.file().toString()).orElse("")));
  }

  private static void add(List<Setting> settings, String name, String value) {
    if (!value.isEmpty()) {
      settings.add(new Setting(name, value));
    }
  }
}
