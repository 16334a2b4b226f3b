package io.hapax.chaos;

import io.hapax.Delivery;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.demo.OrderWatch;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import java.util.List;

/**
 * Reports the orders in flight and the events of the receiver to the parent, and pauses batches for
 * its faults.
 *
 * @param ids how the ids of deliveries are made from those of orders
 */
record ReportingWatch(Reports reports, ParentWatch parent, MarkIds ids)
    implements OrderWatch, ReceiverListener {

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
      parent.pauseIfReached();
    }
  }

  private Reports.InFlight inFlight(Delivery<?> delivery) {
    return new Reports.InFlight(
        delivery.claim().origin().coordinates(), ids.order(delivery.messageId()));
  }

  @Override
  public void afterEffects(int count) throws InterruptedException {
    parent.count(count);
    parent.pauseIfReached();
  }

  @Override
  public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
    reports.ended(new Reports.InFlight(coordinates, order(key)), ending(outcome));
  }

  @Override
  public void onOutcome(String coordinates, Outcome outcome) {
    reports.ended(new Reports.InFlight(coordinates, "-"), ending(outcome));
  }

  @Override
  public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
    reports.recovery(new Reports.Recovery(order(key), acquired.claim().token()));
  }

  @Override
  public void onStoreError(String verb, Throwable error) {
    reports.storeError();
  }

  private String order(MessageKey key) {
    return ids.order(key.id().toString());
  }

  private static Reports.Ending ending(Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      return Reports.Ending.EXECUTED;
    } else if (outcome instanceof Outcome.Duplicate) {
      return Reports.Ending.DUPLICATE;
    } else if (outcome instanceof Outcome.DeadLettered) {
      return Reports.Ending.DEAD;
    }
    return Reports.Ending.DEFERRED;
  }
}
