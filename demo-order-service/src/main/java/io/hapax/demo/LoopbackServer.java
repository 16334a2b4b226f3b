package io.hapax.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server on the loopback interface. Each request has a thread. Otherwise one client that
 * sends half a request would block all others.
 */
public final class LoopbackServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private LoopbackServer(HttpServer server) {
    this.server = server;
  }

  /** Answers the requests below a path. After an exception the status is 500. */
  @FunctionalInterface
  public interface Endpoint {
    Response answer(Request request) throws Exception;
  }

  public record Request(String method, String path, Headers headers, String body) {

    /** Returns a header that is not blank. */
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.getFirst(name)).filter(value -> !value.isBlank());
    }
  }

  public record Response(int status, Map<String, String> headers, String body) {

    public Response {
      headers = Map.copyOf(headers);
    }

    public static Response of(int status, String body) {
      return new Response(status, Map.of(), body);
    }
  }

  /** Starts a server; port 0 means any free one. */
  public static LoopbackServer start(int port, Map<String, Endpoint> endpoints) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    LoopbackServer started = new LoopbackServer(server);
    server.setExecutor(started.threads);
    endpoints.forEach(
        (path, endpoint) -> server.createContext(path, exchange -> respond(exchange, endpoint)));
    server.start();
    return started;
  }

  private static void respond(HttpExchange exchange, Endpoint endpoint) throws IOException {
    try (exchange) {
      Response response = answer(exchange, endpoint);
      byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
      response.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server is closed
    }
  }

  private static Response answer(HttpExchange exchange, Endpoint endpoint)
      throws IOException, InterruptedException {
    Request request = new Request(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        exchange.getRequestHeaders(),
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    try {
      return endpoint.answer(request);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.warn("{} {} failed", request.method(), request.path(), e);
      return Response.of(500, "");
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
