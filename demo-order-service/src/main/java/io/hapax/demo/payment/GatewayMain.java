package io.hapax.demo.payment;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A payment gateway in its own process. Each first request for some orders is slow: the gateway
 * charges and then answers later than its client waits. The process ends when its standard input
 * ends, so that it does not outlive its parent.
 */
public final class GatewayMain {

  /** The header under which a gateway with keys recognises a request that is sent again. */
  static final String KEY = "Idempotency-Key";

  /** What the name of an order contains whose first charge is slow. */
  public static final String SLOW = "slow";

  private static final long SLOW_MILLIS = 3_000;

  private final GatewayLedger ledger;
  private final boolean keys;
  private final long chargeMillis;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  private GatewayMain(GatewayLedger ledger, boolean keys, long chargeMillis) {
    this.ledger = ledger;
    this.keys = keys;
    this.chargeMillis = chargeMillis;
  }

  /**
   * Runs the gateway, and prints its port. The arguments are the ledger's file, whether the gateway
   * honours keys ({@code true}), and the time from a request to the charge in milliseconds.
   */
  public static void main(String[] arguments) throws IOException {
    GatewayMain gateway = new GatewayMain(
        GatewayLedger.open(Path.of(arguments[0])),
        Boolean.parseBoolean(arguments[1]),
        Long.parseLong(arguments[2]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/charges/", gateway::answer);
    server.start();
    new PrintStream(System.out, true, StandardCharsets.UTF_8)
        .println(server.getAddress().getPort());
    while (System.in.read() >= 0) {
      // the parent lives
    }
    Runtime.getRuntime().halt(0);
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
      throws IOException, InterruptedException {
    boolean slow = order.contains(SLOW) && seen.add(order);
    TimeUnit.MILLISECONDS.sleep(slow ? chargeMillis : 0);
    Optional<String> key =
        keys ? Optional.ofNullable(exchange.getRequestHeaders().getFirst(KEY)) : Optional.empty();
    Charge charge = ledger.charge(order, cents, key);
    TimeUnit.MILLISECONDS.sleep(slow ? SLOW_MILLIS : 0);
    return charge.toLine();
  }

  /** Returns the charges of an order, or of all orders if none is named. */
  private String find(String order) {
    return ledger.charges().stream()
        .filter(charge -> order.isEmpty() || charge.orderId().equals(order))
        .map(Charge::toLine)
        .collect(Collectors.joining("\n"));
  }
}
