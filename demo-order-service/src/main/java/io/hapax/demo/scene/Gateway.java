package io.hapax.demo.scene;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A payment gateway. Each first request for some orders is slow: the gateway charges and then
 * answers later than its client waits. It has a ledger of all charges. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

  /** The header under which a gateway with keys recognises a request that is sent again. */
  static final String KEY = "Idempotency-Key";

  /** What the name of an order contains whose first charge is slow. */
  public static final String SLOW = "slow";

  private static final long SLOW_MILLIS = 3_000;

  private final boolean keys;
  private final long chargeMillis;
  private final HttpServer server;
  private final GatewayClient client;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Charge> charges = new ArrayList<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  private Gateway(boolean keys, Duration chargeTime, HttpServer server) {
    this.keys = keys;
    this.chargeMillis = chargeTime.toMillis();
    this.server = server;
    this.client = new GatewayClient(server.getAddress().getPort());
  }

  /**
   * Starts a gateway, which may honour idempotency keys. A slow request is charged after
   * {@code chargeTime}; its answer follows later than the client waits in any case.
   */
  public static Gateway start(boolean keys, Duration chargeTime) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Gateway gateway = new Gateway(keys, chargeTime, server);
    server.setExecutor(gateway.threads);
    server.createContext("/charges/", gateway::answer);
    server.start();
    return gateway;
  }

  public GatewayClient client() {
    return client;
  }

  /** Returns all charges in the ledger. */
  public synchronized List<Charge> charges() {
    return List.copyOf(charges);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String order = exchange.getRequestURI().getPath().substring("/charges/".length());
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    try (exchange) {
      String answer = exchange.getRequestMethod().equals("POST")
          ? charge(exchange, order, Integer.parseInt(body))
          : find(order);
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String charge(HttpExchange exchange, String order, int cents)
      throws InterruptedException {
    boolean slow = order.contains(SLOW) && seen.add(order);
    TimeUnit.MILLISECONDS.sleep(slow ? chargeMillis : 0);
    Optional<String> key =
        keys ? Optional.ofNullable(exchange.getRequestHeaders().getFirst(KEY)) : Optional.empty();
    Charge charge = enter(order, cents, key);
    TimeUnit.MILLISECONDS.sleep(slow ? SLOW_MILLIS : 0);
    return charge.toLine();
  }

  /** Enters a charge into the ledger, or returns that which was made under the same key. */
  private synchronized Charge enter(String order, int cents, Optional<String> key) {
    Optional<Charge> earlier = key.flatMap(
        it -> charges.stream().filter(charge -> charge.receipt().equals(it)).findFirst());
    if (earlier.isPresent()) {
      return earlier.orElseThrow();
    }
    Charge charge =
        new Charge(order, cents, key.orElseGet(() -> UUID.randomUUID().toString()));
    charges.add(charge);
    return charge;
  }

  private String find(String order) {
    return charges().stream()
        .filter(charge -> charge.orderId().equals(order))
        .map(Charge::toLine)
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
