package io.hapax.chaos;

import io.hapax.console.trial.TrialState;
import io.hapax.demo.payment.GatewayMain;
import io.hapax.demo.payment.PaymentScene;
import io.hapax.demo.scene.OrderEvent;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The payments of the live demo. The same orders go to a consumer with Hapax and to a naive one,
 * each with a gateway of its own. The gateways start with the first orders.
 */
final class Payments implements AutoCloseable {

  private final Stage stage;
  private final Path folder;
  private final List<String> placed = new ArrayList<>();
  private Optional<Cashier> hapax = Optional.empty();
  private Optional<Cashier> naive = Optional.empty();
  private boolean closed;

  /**
   * Prepares payments.
   *
   * @param stage the servers; they outlive the payments
   * @param folder a folder for the ledgers of the gateways
   */
  Payments(Stage stage, Path folder) {
    this.stage = stage;
    this.folder = folder;
  }

  /** Places orders for which the gateway charges, but answers later than its client waits. */
  synchronized void timeOut(int count) throws IOException, InterruptedException {
    if (closed) {
      throw new IllegalStateException("the demo ends");
    }
    if (hapax.isEmpty()) {
      hapax = Optional.of(open(Variant.HAPAX, "charges-hapax"));
    }
    if (naive.isEmpty()) {
      naive = Optional.of(open(Variant.NAIVE, "charges-naive"));
    }
    List<String> orders = IntStream.range(placed.size(), placed.size() + count)
        .mapToObj(number -> GatewayMain.SLOW + "-order-" + number)
        .toList();
    placed.addAll(orders);
    List<OrderEvent> events = orders.stream().map(PaymentScene::placed).toList();
    hapax.orElseThrow().place(events);
    naive.orElseThrow().place(events);
  }

  private Cashier open(Variant variant, String ledger) throws IOException, InterruptedException {
    return Cashier.open(stage, new PaymentScene(true), variant, folder.resolve(ledger));
  }

  /** Reads the ledgers of the gateways; empty before the first order. */
  synchronized Optional<TrialState.Charges> charges() throws IOException, InterruptedException {
    if (hapax.isEmpty() || naive.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TrialState.Charges(
        hapax.orElseThrow().totals(placed), naive.orElseThrow().totals(placed)));
  }

  /** Ends consumers and gateways. */
  @Override
  public synchronized void close() {
    closed = true;
    try {
      hapax.ifPresent(Cashier::close);
    } finally {
      naive.ifPresent(Cashier::close);
    }
  }
}
