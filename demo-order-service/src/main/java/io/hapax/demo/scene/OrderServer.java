package io.hapax.demo.scene;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.hapax.demo.scene.Tokens.InvalidTokenException;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shop's HTTP interface. {@code POST /orders} places an order; the body is the amount. The
 * request carries an {@value #KEY} that the client chose, or an {@value #TOKEN} from {@code POST
 * /tokens}. The header {@value #CUSTOMER} replaces a login, which does not matter here.
 */
final class OrderServer implements AutoCloseable {

  static final String CUSTOMER = "Customer";
  static final String KEY = "Idempotency-Key";
  static final String TOKEN = "Order-Token";

  /** Tokens for a customer in a minute. */
  static final int TOKENS_PER_MINUTE = 10;

  private static final Logger LOG = LoggerFactory.getLogger(OrderServer.class);

  private final Stage stage;
  private final OrderDesk desk;
  private final Tokens tokens;
  private final Requests requests;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final RateLimiterRegistry limits = RateLimiterRegistry.of(RateLimiterConfig.custom()
      .limitForPeriod(TOKENS_PER_MINUTE)
      .limitRefreshPeriod(Duration.ofMinutes(1))
      .timeoutDuration(Duration.ZERO)
      .build());

  private OrderServer(
      Stage stage, OrderDesk desk, Tokens tokens, Requests requests, HttpServer server) {
    this.stage = stage;
    this.desk = desk;
    this.tokens = tokens;
    this.requests = requests;
    this.server = server;
  }

  /** Starts a server on a free port; it closes the requests. */
  static OrderServer start(Stage stage, OrderDesk desk, Tokens tokens, Requests requests)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    OrderServer started = new OrderServer(stage, desk, tokens, requests, server);
    server.setExecutor(started.threads);
    server.createContext("/orders", exchange -> started.respond(exchange, started::order));
    server.createContext("/tokens", exchange -> started.respond(exchange, started::token));
    server.start();
    return started;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** A request of a customer. */
  private record Request(String customer, Headers headers, String body) {

    Optional<String> header(String name) {
      return Optional.ofNullable(headers.getFirst(name)).filter(value -> !value.isBlank());
    }

    Optional<Integer> amount() {
      try {
        return Optional.of(Integer.parseInt(body));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  private interface Endpoint {
    Answer answer(Request request) throws Exception;
  }

  private void respond(HttpExchange exchange, Endpoint endpoint) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange, endpoint);
      answer
          .retryAfter()
          .ifPresent(
              seconds -> exchange.getResponseHeaders().set("Retry-After", Long.toString(seconds)));
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Answer answer(HttpExchange exchange, Endpoint endpoint) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String customer = exchange.getRequestHeaders().getFirst(CUSTOMER);
    if (customer == null || !exchange.getRequestMethod().equals("POST")) {
      return Answer.BAD_REQUEST;
    }
    try {
      return endpoint.answer(new Request(customer, exchange.getRequestHeaders(), body));
    } catch (InvalidTokenException e) {
      return Answer.FORBIDDEN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.ERROR;
    } catch (Exception e) {
      LOG.warn("a request of {} failed", customer, e);
      return Answer.ERROR;
    }
  }

  private Answer token(Request request) throws Exception {
    String customer = request.customer();
    if (!limits.rateLimiter(customer).acquirePermission()) {
      return Answer.TOO_MANY_REQUESTS;
    }
    return Answer.of(201, stage.transact(transaction -> tokens.issue(transaction, customer)));
  }

  /** Two customers may choose the same key, so the customer is a part of the id. */
  private Answer order(Request request) throws Exception {
    String customer = request.customer();
    Optional<Integer> amount = request.amount();
    Optional<String> key = request.header(KEY);
    Optional<String> token = request.header(TOKEN);
    if (amount.isEmpty() || key.isPresent() == token.isPresent()) {
      return Answer.BAD_REQUEST;
    }
    String id = key.map(it -> "/key/" + it).orElseGet(() -> "/token/" + token.orElseThrow());
    return Answer.of(requests.run(customer + id, request.body(), transaction -> {
      if (token.isPresent()) {
        tokens.use(transaction, customer, token.get());
      }
      return Bytes.utf8(desk.place(transaction, customer, amount.get()));
    }));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
    requests.close();
  }
}
