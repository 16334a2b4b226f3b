package io.hapax.console.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.MarkKind;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.Curve;
import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.generation.Generations;
import io.hapax.mark.Mark;
import io.hapax.operations.redrive.MarkOperations;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Serves JSON: the reports of the command line, and the values of the curves. */
final class JsonPages {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST = 1_000;

  private final Reading reading;

  JsonPages(Reading reading) {
    this.reading = reading;
  }

  private static Response of(String text) {
    return Response.text(200, "application/json", text);
  }

  /** Returns marks in the format of {@code hapax stale --json}. */
  Response stale(Visit visit) throws JsonProcessingException {
    Deployment deployment = reading.deployment();
    int limit = limit(visit.request().query("limit").orElse("100"));
    MarkOperations marks = new MarkOperations(deployment.store(), deployment.consumer());
    ReportJson json = new ReportJson();
    for (String name : visit.request().query("kind").orElse("stale").split(",", -1)) {
      MarkKind kind = kind(name);
      List<Mark> found = marks.list(kind.asked(), limit);
      json.with(kind.text(), found, found.size() < limit);
    }
    return of(json.text());
  }

  private static int limit(String text) {
    int limit = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("limit is " + text + " but must be 1 to " + MOST);
    }
    return limit;
  }

  private static MarkKind kind(String name) {
    try {
      return MarkKind.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "kind is " + name + " but must be stale, in_doubt or dead", e);
    }
  }

  /** Returns the generation in the format of {@code hapax generation --json}. */
  Response generation() throws JsonProcessingException {
    Deployment deployment = reading.deployment();
    int current = Generations.current(deployment.store(), deployment.consumer());
    return of(new ReportJson().withGeneration(deployment.consumer(), current).text());
  }

  /** Returns the report of a job in the format of {@code --json} of the command. */
  Response job(String id) throws RefusedRequest, JsonProcessingException {
    Job.Result result = reading
        .job(id)
        .result()
        .orElseThrow(() -> new RefusedRequest(404, "not-found", "the job has no result"));
    return of(result.json().text());
  }

  /** Returns the report of the newest job of a kind. */
  Response newest(String kind) throws RefusedRequest, JsonProcessingException {
    Job job = reading
        .jobs()
        .newest(kind)
        .orElseThrow(() -> new RefusedRequest(404, "not-found", "this console has run no " + kind));
    return job(job.id());
  }

  /** Returns the curves of the view Now. */
  Response series() throws JsonProcessingException {
    List<Curve> curves = reading.history().view().curves();
    TreeSet<Instant> times = new TreeSet<>();
    curves.forEach(curve -> curve.points().forEach(point -> times.add(point.at())));
    ObjectNode root = JSON.createObjectNode();
    ArrayNode at = root.putArray("at");
    times.forEach(time -> at.add(seconds(time)));
    ObjectNode series = root.putObject("series");
    for (Curve curve : curves) {
      Map<Instant, Double> values = new HashMap<>();
      curve.points().forEach(point -> values.put(point.at(), point.value()));
      ArrayNode all = series.putArray(curve.name());
      times.forEach(time -> all.add(values.get(time))); // a null where there is no point
    }
    return of(JSON.writeValueAsString(root));
  }

  /** Returns the newest point of each curve. */
  static String point(NowView view) throws JsonProcessingException {
    ObjectNode root = JSON.createObjectNode().put("at", seconds(view.at()));
    ObjectNode values = root.putObject("values");
    for (Figure figure : view.figures()) {
      figure.value().ifPresent(value -> values.put(figure.name(), value));
    }
    return JSON.writeValueAsString(root);
  }

  private static double seconds(Instant time) {
    return time.toEpochMilli() / 1000.0;
  }
}
