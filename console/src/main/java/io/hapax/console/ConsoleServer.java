package io.hapax.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.hapax.console.http.EventStream;
import io.hapax.console.http.Parameters;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a console with the HTTP server of the JDK. */
public final class ConsoleServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);

  /** The maximum number of requests that the console answers at once. */
  private static final int MOST_ANSWERS = 32;

  /** The maximum size of a form, in bytes. */
  static final int LONGEST_BODY = 256 * 1024;

  private static final int DEFAULT_PORT = 8090;
  private static final int HIGHEST_PORT = 65_535;
  private static final String FORM = "application/x-www-form-urlencoded";

  private final HttpServer server;
  private final RequestThreads threads;
  private final Semaphore answers = new Semaphore(MOST_ANSWERS);
  private final Console console;
  private final boolean secure;

  private ConsoleServer(
      HttpServer server, RequestThreads threads, Console console, boolean secure) {
    this.server = server;
    this.threads = threads;
    this.console = console;
    this.secure = secure;
  }

  /**
   * Starts a server.
   *
   * @param console the console; closed with the server
   * @param address the address to listen on; port 0 selects a free port
   * @param tls the certificate; without one only a loopback address is permitted
   * @return the server; the caller closes it
   * @throws IllegalArgumentException if the address is not a loopback one and there is no
   *     certificate
   * @throws IOException if the server cannot listen on the address
   */
  public static ConsoleServer start(
      Console console, InetSocketAddress address, Optional<SSLContext> tls) throws IOException {
    return start(console, address, tls, RequestThreads.LIMIT);
  }

  /** Starts a server that waits for a client, until it closes the connection, for a given time. */
  static ConsoleServer start(
      Console console, InetSocketAddress address, Optional<SSLContext> tls, Duration limit)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("--listen is " + address.getHostString() + ":"
          + address.getPort() + " but that host name cannot be resolved");
    }
    if (tls.isEmpty()) {
      requireLoopback(address);
    }
    HttpServer server =
        tls.isPresent() ? secured(address, tls.get()) : HttpServer.create(address, 0);
    RequestThreads threads = new RequestThreads("hapax-console", limit);
    ConsoleServer started = new ConsoleServer(server, threads, console, tls.isPresent());
    server.createContext("/", started::serve);
    server.setExecutor(threads);
    server.start();
    return started;
  }

  /**
   * Reads the address of the option {@code --listen}.
   *
   * @param listen a host, and a port after a colon; {@value #DEFAULT_PORT} without one
   * @return the address; unresolved if the host has no address
   * @throws IllegalArgumentException if the text is not an address
   */
  public static InetSocketAddress parse(String listen) {
    int colon = listen.lastIndexOf(':');
    String host = colon < 0 ? listen : listen.substring(0, colon);
    String port = colon < 0 ? Integer.toString(DEFAULT_PORT) : listen.substring(colon + 1);
    if (host.isBlank() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > HIGHEST_PORT) {
      throw new IllegalArgumentException("--listen is " + listen + " but must be HOST:PORT");
    }
    return new InetSocketAddress(host, Integer.parseInt(port));
  }

  /**
   * Refuses an address that is reachable from other machines.
   *
   * @param address the address of a server without TLS
   * @throws IllegalArgumentException if it is not a loopback address
   */
  public static void requireLoopback(InetSocketAddress address) {
    if (!address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException("--listen is " + address.getHostString()
          + ":" + address.getPort() + " but without TLS it must be a loopback address such as"
          + " 127.0.0.1: set --tls-keystore, or put a proxy with TLS before it");
    }
  }

  private static HttpServer secured(InetSocketAddress address, SSLContext context)
      throws IOException {
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return server;
  }

  /** {@return the address of the first page, below the base of the console} */
  public URI address() {
    InetSocketAddress at = server.getAddress();
    String host = at.getAddress().getHostAddress();
    String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return URI.create((secure ? "https://" : "http://") + bracketed + ":" + at.getPort());
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      Response response = response(exchange);
      send(exchange, response);
    } catch (IOException e) {
      LOG.debug("the browser closed the connection", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI().getPath(), e);
      throw e;
    }
  }

  private Response response(HttpExchange exchange) throws IOException, InterruptedException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    boolean posts = exchange.getRequestMethod().equals("POST");
    if (posts && (type == null || !type.toLowerCase(Locale.ROOT).startsWith(FORM))) {
      return Response.text(
          415, "text/plain", "Content-Type must be application/x-www-form-urlencoded\n");
    }
    byte[] body = posts ? exchange.getRequestBody().readNBytes(LONGEST_BODY + 1) : new byte[0];
    if (body.length > LONGEST_BODY) {
      return Response.text(413, "text/plain", "the form is too long\n");
    }
    Request request;
    try {
      request = request(exchange, body);
    } catch (IllegalArgumentException e) {
      return Response.text(400, "text/plain", "the request is malformed\n");
    }
    RequestThreads.proceed();
    answers.acquire();
    try {
      return console.answer(request);
    } finally {
      answers.release();
    }
  }

  private static Request request(HttpExchange exchange, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(
            name.toLowerCase(Locale.ROOT),
            String.join(name.equalsIgnoreCase("Cookie") ? ";" : ",", values)));
    URI uri = exchange.getRequestURI();
    String query = uri.getRawQuery();
    Map<String, List<String>> form = Parameters.decode(new String(body, StandardCharsets.UTF_8));
    return new Request(
        exchange.getRequestMethod(),
        URLDecoder.decode(uri.getRawPath().replace("+", "%2B"), StandardCharsets.UTF_8),
        headers,
        Parameters.decode(query == null ? "" : query),
        form,
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        Optional.empty());
  }

  private static void send(HttpExchange exchange, Response response)
      throws IOException, InterruptedException {
    response
        .headers()
        .forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
    if (response.events().isPresent()) {
      stream(exchange, response.events().get());
      return;
    }
    RequestThreads.await();
    byte[] body = response.body().toByteArray();
    boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(response.status(), none ? -1 : body.length);
    if (!none) {
      exchange.getResponseBody().write(body);
    }
  }

  private static void stream(HttpExchange exchange, EventStream events)
      throws IOException, InterruptedException {
    try {
      events.send((name, data) -> {
        RequestThreads.await();
        if (exchange.getResponseCode() < 0) {
          exchange.sendResponseHeaders(200, 0);
        }
        OutputStream out = exchange.getResponseBody();
        out.write(EventStream.encoded(name, data));
        out.flush();
        RequestThreads.proceed();
      });
    } finally {
      RequestThreads.await();
    }
  }

  /** Stops the server, then the console. */
  @Override
  public void close() {
    console.close();
    server.stop(0);
    threads.close();
  }
}
