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
import java.util.function.Supplier;

/**
 * Tells on {@value #PATH} how the service is: 200 and {@code UP}, or 503 and why nothing moves, one
 * reason a line. Only this machine, or this container, is answered.
 */
final class Health implements AutoCloseable {

  private static final String PATH = "/health";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpServer server;

  private Health(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to tell.
   *
   * @param port where
   * @param trouble why nothing moves; empty while all is well
   */
  static Health tell(int port, Supplier<List<String>> trouble) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(PATH, exchange -> answer(exchange, trouble.get()));
    server.start();
    return new Health(server);
  }

  private static void answer(HttpExchange exchange, List<String> trouble) throws IOException {
    try (exchange) {
      byte[] text =
          (trouble.isEmpty() ? "UP" : String.join("\n", trouble)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(trouble.isEmpty() ? OK : UNAVAILABLE, text.length);
      exchange.getResponseBody().write(text);
    }
  }

  /**
   * Asks a service of this machine.
   *
   * @throws IOException if it does not answer
   */
  static Answer ask(int port) throws IOException, InterruptedException {
    URI place = URI.create(
        "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ':' + port + PATH);
    HttpResponse<String> response = HttpClient.newBuilder()
        .connectTimeout(PATIENCE)
        .build()
        .send(
            HttpRequest.newBuilder(place).timeout(PATIENCE).build(),
            HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode() == OK, response.body());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /**
   * How a service is.
   *
   * @param up whether all is well
   * @param text {@code UP}, or the reasons
   */
  record Answer(boolean up, String text) {}
}
