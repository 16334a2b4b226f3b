package io.hapax.chaos;

import io.hapax.console.trial.TrialTotals;
import io.hapax.demo.payment.Charge;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A consumer that has orders charged by its gateway.
 *
 * @param gateway the gateway
 * @param topic the topic of the orders
 * @param reading the consumer
 */
record Cashier(GatewayProcess gateway, EventTopic<?> topic, Subscription reading)
    implements AutoCloseable {

  private static final int PARTITIONS = 3;

  /** Starts the gateway and the consumer. */
  static Cashier open(Stage stage, PaymentScene scene, Variant variant, Path ledger)
      throws IOException, InterruptedException {
    GatewayProcess gateway = GatewayProcess.start(ledger, scene.keys(), Duration.ZERO);
    try {
      return reading(stage, stage.topic("payment", PARTITIONS), scene, variant, gateway);
    } catch (IOException | InterruptedException | RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  private static <M> Cashier reading(
      Stage stage, EventTopic<M> topic, PaymentScene scene, Variant variant, GatewayProcess gateway)
      throws IOException {
    try {
      return new Cashier(
          gateway, topic, scene.start(stage, topic, variant, new Settled(), gateway.client()));
    } catch (IOException | RuntimeException e) {
      topic.close();
      throw e;
    }
  }

  void place(List<OrderEvent> orders) throws IOException, InterruptedException {
    topic.send(orders);
  }

  /** Counts the charges in the ledger of the gateway. */
  TrialTotals totals(List<String> placed) throws IOException, InterruptedException {
    Map<String, Long> counts = new HashMap<>();
    for (Charge charge : gateway.client().ledger()) {
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
  public void close() {
    try (gateway;
        topic) {
      reading.close();
    }
  }
}
