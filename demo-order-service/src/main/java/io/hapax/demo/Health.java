package io.hapax.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves the health of the service at {@value #PATH}: 200 and {@code UP}, or 503 and one problem a
 * line. Serves its meters at {@value #METRICS}. Listens on the loopback interface only.
 */
final class Health implements AutoCloseable {

  private static final String PATH = "/health";
  private static final String METRICS = "/metrics";

  /** Prometheus refuses a response without a type that it knows. */
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpServer server;
  private final ExecutorService threads;

  private Health(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /** Starts the server. {@code metrics} returns the meters in the text format of Prometheus. */
  static Health start(int port, Supplier<List<String>> problems, Supplier<String> metrics)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(PATH, exchange -> answer(exchange, problems.get()));
    server.createContext(METRICS, exchange -> send(exchange, OK, METRICS_TYPE, metrics.get()));
    // without an executor one client that sends half a request blocks all others
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.start();
    return new Health(server, threads);
  }

  private static void answer(HttpExchange exchange, List<String> problems) throws IOException {
    boolean up = problems.isEmpty();
    send(exchange, up ? OK : UNAVAILABLE, TEXT, up ? "UP" : String.join("\n", problems));
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Asks a service on this machine. */
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

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** The health of a service. Its text is {@code UP}, or the problems. */
  record Answer(boolean up, String text) {}
}
