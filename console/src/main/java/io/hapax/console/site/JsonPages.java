package io.hapax.console.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.MarkKind;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.NowView;
import io.hapax.generation.Generations;
import io.hapax.mark.Mark;
import io.hapax.operations.redrive.MarkOperations;
import java.util.List;
import java.util.Locale;

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

  /** Returns the newest reading: each known figure as a series of one value. */
  Response series() throws JsonProcessingException {
    NowView view = reading.history().view();
    ObjectNode root = JSON.createObjectNode();
    root.putArray("at").add(view.at().toEpochMilli());
    ObjectNode series = root.putObject("series");
    view.figures()
        .forEach(figure ->
            figure.value().ifPresent(value -> series.putArray(figure.name()).add(value)));
    return of(JSON.writeValueAsString(root));
  }

  /** Returns the newest point of each curve. */
  static String point(NowView view) throws JsonProcessingException {
    ObjectNode root = JSON.createObjectNode().put("at", view.at().toEpochMilli());
    ObjectNode values = root.putObject("values");
    view.curves().forEach(curve -> values.put(curve.name(), curve.last()));
    return JSON.writeValueAsString(root);
  }
}
