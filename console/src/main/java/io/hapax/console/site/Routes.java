package io.hapax.console.site;

import io.hapax.console.http.Response;
import io.hapax.console.meters.StoreMeters;
import io.hapax.console.security.Identity;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Routes the requests of signed-in users. */
final class Routes {

  private final Views views;
  private final Json json;
  private final Streams streams;
  private final ActionSite actions;
  private final Reading reading;
  private final Optional<TrialSite> trial;

  Routes(Reading reading, Streams streams, ActionSite actions, Optional<TrialSite> trial) {
    this.views = new Views(reading, actions.offers("generation"));
    this.json = new Json(reading);
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

  private Response page(Visit visit, BooleanSupplier mayGoOn) throws Exception {
    return switch (visit.path()) {
      case "/", "/now" -> views.now(visit);
      case "/now/series.json" -> json.series();
      case "/now/events" -> streams.now(streamed(visit), mayGoOn);
      case "/id" -> views.id(visit);
      case "/doubt" -> views.doubt(visit);
      case "/deadletters" -> views.letters(visit);
      case "/duplicates" -> views.duplicates(visit);
      case "/conflicts" -> views.conflicts(visit);
      case "/replay" -> views.replay(visit);
      case "/consumers" -> views.consumers(visit);
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

  private TrialSite trial() throws Refusal {
    return trial.orElseThrow(() -> new Refusal(404, "not-found", ""));
  }

  private Response job(Visit visit, BooleanSupplier mayGoOn) throws Exception {
    String[] parts = visit.path().split("/", -1);
    if (parts.length == 3 && parts[1].equals("jobs")) {
      return views.job(visit, parts[2]);
    } else if (parts.length == 4 && parts[1].equals("jobs") && parts[3].equals("events")) {
      return streams.job(streamed(visit), parts[2], mayGoOn);
    } else if (parts.length == 4 && parts[1].equals("jobs") && parts[3].equals("json")) {
      return json.job(parts[2]);
    }
    throw new Refusal(404, "not-found", "");
  }

  /** Refuses HEAD, because its response would occupy one of the streams. */
  private static Visit streamed(Visit visit) throws Refusal {
    if (!visit.request().method().equals("GET")) {
      throw new Refusal(405, "method", "");
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
    throw new Refusal(404, "not-found", "");
  }

  /** Stops a job. Every user may stop an audit; other jobs need the role for write actions. */
  private Response stop(Visit visit, String id) throws Refusal {
    var job = reading.job(id);
    Optional<Identity> writer = visit.identity().filter(Identity::mayWrite);
    if (!job.kind().equals("audit") && writer.isEmpty()) {
      throw new Refusal(403, "forbidden", "");
    }
    job.stop();
    actions.stopped(visit, job);
    return visit.redirect("/jobs/" + id);
  }
}
