package io.hapax.chaos;

import io.hapax.Delivery;
import io.hapax.demo.OrderWatch;
import java.util.List;

/**
 * Reports the orders in flight to the parent, and pauses their batches for its faults.
 *
 * @param ids how the ids of deliveries are made from those of orders
 */
record ReportingWatch(Reports reports, PauseGate gate, MarkIds ids) implements OrderWatch {

  /**
   * Pauses only if an order in the batch can take effect. A fault that hits poison alone would
   * prove nothing.
   */
  @Override
  public void beforeEffects(List<? extends Delivery<?>> deliveries) throws InterruptedException {
    List<Reports.InFlight> orders = deliveries.stream()
        .map(this::inFlight)
        .filter(order -> !Poison.isNamed(order.orderId()))
        .toList();
    if (!orders.isEmpty()) {
      reports.started(orders);
      gate.pauseIfReached();
    }
  }

  @Override
  public void afterEffects(int count) throws InterruptedException {
    gate.count(count);
    gate.pauseIfReached();
  }

  private Reports.InFlight inFlight(Delivery<?> delivery) {
    return new Reports.InFlight(
        delivery.claim().origin().coordinates(), ids.order(delivery.messageId()));
  }
}
