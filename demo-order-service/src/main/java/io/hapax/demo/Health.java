package io.hapax.demo;

import io.hapax.demo.LoopbackServer.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Serves the health of the service at {@value #PATH}: 200 and {@code UP}, or 503 and one problem a
 * line. Serves its meters at {@value #METRICS}.
 */
final class Health {

  private static final String PATH = "/health";
  private static final String METRICS = "/metrics";

  /** Prometheus refuses a response without a type that it knows. */
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Health() {}

  /** Starts the server. {@code metrics} returns the meters in the text format of Prometheus. */
  static LoopbackServer start(int port, Supplier<List<String>> problems, Supplier<String> metrics)
      throws IOException {
    return LoopbackServer.start(
        port,
        Map.of(
            PATH, request -> answer(problems.get()),
            METRICS, request -> text(OK, METRICS_TYPE, metrics.get())));
  }

  private static Response answer(List<String> problems) {
    return problems.isEmpty()
        ? text(OK, TEXT, "UP")
        : text(UNAVAILABLE, TEXT, String.join("\n", problems));
  }

  private static Response text(int status, String type, String text) {
    return new Response(status, Map.of("Content-Type", type), text);
  }

  static Answer ask(int port) throws IOException, InterruptedException {
    URI place = URI.create(
        "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ':' + port + PATH);
    HttpResponse<String> response = HttpClient.newBuilder()
        .connectTimeout(TIMEOUT)
        .build()
        .send(
            HttpRequest.newBuilder(place).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode() == OK, response.body());
  }

  /** The health of a service. Its text is {@code UP}, or the problems. */
  record Answer(boolean up, String text) {}
}
