package io.hapax.demo.live;

import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialTotals;
import io.hapax.demo.payment.Charge;
import io.hapax.demo.payment.Gateway;
import io.hapax.demo.payment.PaymentScene;
import io.hapax.demo.scene.EventTopic;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.Settled;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The payments of the live demo. The same orders go to a consumer with Hapax and to a naive one,
 * each with a gateway of its own. The gateways start with the first orders.
 */
final class Payments implements AutoCloseable {

  private static final int PARTITIONS = 3;

  private final Stage stage;
  private final List<String> placed = new ArrayList<>();
  private final Map<Variant, Cashier> cashiers = new EnumMap<>(Variant.class);
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private boolean closed;

  private record Cashier(Gateway gateway, EventTopic<?> topic) {}

  Payments(Stage stage) {
    this.stage = stage;
  }

  /** Places orders for which the gateway charges, but answers later than its client waits. */
  synchronized void timeOut(int count) throws IOException, InterruptedException {
    if (closed) {
      throw new IllegalStateException("the demo ends");
    }
    for (Variant variant : Variant.values()) {
      if (!cashiers.containsKey(variant)) {
        cashiers.put(variant, open(variant));
      }
    }
    List<String> orders = IntStream.range(placed.size(), placed.size() + count)
        .mapToObj(number -> Gateway.SLOW + "-order-" + number)
        .toList();
    placed.addAll(orders);
    List<OrderEvent> events = orders.stream().map(PaymentScene::placed).toList();
    for (Cashier cashier : cashiers.values()) {
      cashier.topic.send(events);
    }
  }

  private Cashier open(Variant variant) throws IOException, InterruptedException {
    PaymentScene scene = new PaymentScene(true);
    Gateway gateway = add(Gateway.start(scene.keys(), Duration.ZERO));
    EventTopic<?> topic = add(stage.topic("payment", PARTITIONS));
    add(scene.start(stage, topic, variant, new Settled(), gateway.client()));
    return new Cashier(gateway, topic);
  }

  private <P extends AutoCloseable> P add(P part) {
    parts.push(part);
    return part;
  }

  /** Reads the ledgers of the gateways; empty before the first order. */
  synchronized Optional<TrialState.Charges> charges() {
    Cashier hapax = cashiers.get(Variant.HAPAX);
    Cashier naive = cashiers.get(Variant.NAIVE);
    return hapax == null || naive == null
        ? Optional.empty()
        : Optional.of(new TrialState.Charges(totals(hapax), totals(naive)));
  }

  private TrialTotals totals(Cashier cashier) {
    Map<String, Long> charges = cashier.gateway.charges().stream()
        .map(Charge::orderId)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return Ledger.totals(placed.stream().map(id -> charges.getOrDefault(id, 0L)).toList(), 0);
  }

  /** Closes its parts, the newest first. */
  @Override
  public synchronized void close() throws Exception {
    closed = true;
    try (AutoCloseable oldest = parts.pollLast()) {
      if (!parts.isEmpty()) {
        close();
      }
    }
  }
}
