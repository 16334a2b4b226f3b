package io.hapax.demo.scene;

import io.hapax.demo.Json;
import io.hapax.demo.LoopbackServer;
import io.hapax.demo.LoopbackServer.Request;
import io.hapax.demo.LoopbackServer.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

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
  private final List<Charge> charges = new ArrayList<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final LoopbackServer server;
  private final GatewayClient client;

  /**
   * Starts a gateway, which may honour idempotency keys. A slow request is charged after
   * {@code chargeTime}; its answer follows later than the client waits in any case.
   */
  public Gateway(boolean keys, Duration chargeTime) throws IOException {
    this.keys = keys;
    this.chargeMillis = chargeTime.toMillis();
    this.server = LoopbackServer.start(0, Map.of("/charges/", this::answer));
    this.client = new GatewayClient(server.port());
  }

  public GatewayClient client() {
    return client;
  }

  public synchronized List<Charge> charges() {
    return List.copyOf(charges);
  }

  private Response answer(Request request) throws InterruptedException {
    String order = request.path().substring("/charges/".length());
    Object answer = request.method().equals("POST")
        ? charge(order, Integer.parseInt(request.body()), request.header(KEY).filter(it -> keys))
        : charges().stream().filter(charge -> charge.orderId().equals(order)).toList();
    return Response.of(200, new String(Json.write(answer), StandardCharsets.UTF_8));
  }

  private Charge charge(String order, int cents, Optional<String> key) throws InterruptedException {
    boolean slow = order.contains(SLOW) && seen.add(order);
    TimeUnit.MILLISECONDS.sleep(slow ? chargeMillis : 0);
    Charge charge = enter(order, cents, key);
    TimeUnit.MILLISECONDS.sleep(slow ? SLOW_MILLIS : 0);
    return charge;
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

  @Override
  public void close() {
    server.close();
  }
}
