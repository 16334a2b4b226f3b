package io.hapax.chaos;

import io.hapax.console.trial.TrialState;
import io.hapax.console.trial.TrialTotals;
import io.hapax.demo.payment.Charge;
import io.hapax.demo.payment.GatewayMain;
import io.hapax.demo.payment.GatewayProcess;
import io.hapax.demo.payment.PaymentScene;
import io.hapax.demo.scene.EventTopic;
import io.hapax.demo.scene.EventTopic.Subscription;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.Settled;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The payments of the live demo. The same orders go to a consumer with Hapax and to a naive one,
 * each with a gateway of its own. The gateways start with the first orders.
 */
final class Payments implements AutoCloseable {

  private static final int PARTITIONS = 3;

  private final Stage stage;
  private final Path folder;
  private final List<String> placed = new ArrayList<>();
  private final Map<Variant, Cashier> cashiers = new EnumMap<>(Variant.class);
  private boolean closed;

  Payments(Stage stage, Path folder) {
    this.stage = stage;
    this.folder = folder;
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
        .mapToObj(number -> GatewayMain.SLOW + "-order-" + number)
        .toList();
    placed.addAll(orders);
    List<OrderEvent> events = orders.stream().map(PaymentScene::placed).toList();
    for (Cashier cashier : cashiers.values()) {
      cashier.topic.send(events);
    }
  }

  private Cashier open(Variant variant) throws IOException, InterruptedException {
    PaymentScene scene = new PaymentScene(true);
    GatewayProcess gateway =
        GatewayProcess.start(folder.resolve("charges-" + variant), scene.keys(), Duration.ZERO);
    try {
      return reading(stage.topic("payment", PARTITIONS), scene, variant, gateway);
    } catch (IOException | InterruptedException | RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  private <M> Cashier reading(
      EventTopic<M> topic, PaymentScene scene, Variant variant, GatewayProcess gateway)
      throws IOException {
    try {
      return new Cashier(
          gateway, topic, scene.start(stage, topic, variant, new Settled(), gateway.client()));
    } catch (IOException | RuntimeException e) {
      topic.close();
      throw e;
    }
  }

  /** Reads the ledgers of the gateways; empty before the first order. */
  synchronized Optional<TrialState.Charges> charges() throws IOException, InterruptedException {
    Cashier hapax = cashiers.get(Variant.HAPAX);
    Cashier naive = cashiers.get(Variant.NAIVE);
    return hapax == null || naive == null
        ? Optional.empty()
        : Optional.of(new TrialState.Charges(totals(hapax), totals(naive)));
  }

  private TrialTotals totals(Cashier cashier) throws IOException, InterruptedException {
    Map<String, Long> counts = new HashMap<>();
    for (Charge charge : cashier.gateway.client().ledger()) {
      counts.merge(charge.orderId(), 1L, Long::sum);
    }
    return new TrialTotals(
        placed.size(),
        counts.values().stream().mapToLong(it -> it).sum(),
        placed.stream().filter(it -> !counts.containsKey(it)).count(),
        counts.values().stream().filter(it -> it > 1).count(),
        0);
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      close(Variant.HAPAX);
    } finally {
      close(Variant.NAIVE);
    }
  }

  private void close(Variant variant) {
    Optional.ofNullable(cashiers.get(variant)).ifPresent(Cashier::close);
  }

  private record Cashier(GatewayProcess gateway, EventTopic<?> topic, Subscription reading)
      implements AutoCloseable {

    @Override
    public void close() {
      try (gateway;
          topic) {
        reading.close();
      }
    }
  }
}
