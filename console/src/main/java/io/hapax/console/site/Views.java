package io.hapax.console.site;

import io.hapax.console.action.ActionLog;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Deployment;
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

/** Serves the pages of the views. */
final class Views {

  private final Reading reading;
  private final boolean moves;

  /** Serves the pages. {@code moves} is whether this console moves the group and the generation. */
  Views(Reading reading, boolean moves) {
    this.reading = reading;
    this.moves = moves;
  }

  Response now(Visit visit) {
    return visit.html(View.NOW, "now", reading.history().view());
  }

  Response id(Visit visit) throws Exception {
    String id = visit.request().query("id").orElse("").strip();
    return visit.html(View.ID, "id", reading.oneId().view(id));
  }

  Response doubt(Visit visit) {
    Request request = visit.request();
    DoubtView view =
        reading.marks().page(request.query("kind").orElse("stale"), request.query("after"));
    boolean rowsOnly = request.header("hx-request").isPresent()
        && request.header("hx-target").filter("rows"::equals).isPresent();
    return visit.html(View.DOUBT, rowsOnly ? "doubt-rows" : "doubt", view);
  }

  Response letters(Visit visit) throws Exception {
    Request request = visit.request();
    return visit.html(
        View.DEAD_LETTERS,
        "deadletters",
        reading.letters().view(request.query("topic"), request.query("group")));
  }

  Response duplicates(Visit visit) {
    return visit.html(View.DUPLICATES, "duplicates", reading.findings().duplicates());
  }

  Response conflicts(Visit visit) throws Exception {
    return visit.html(View.CONFLICTS, "conflicts", reading.findings().conflicts());
  }

  Response replay(Visit visit) {
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

  Response consumers(Visit visit) throws Exception {
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

  Response job(Visit visit, String id) throws Refusal {
    return visit.html(View.REPLAY, "job", reading.job(id).view());
  }
}
