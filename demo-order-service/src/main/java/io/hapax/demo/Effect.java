package io.hapax.demo;

import io.hapax.Delivery;
import io.hapax.errors.RejectedMessageException;
import java.io.UncheckedIOException;

/**
 * The effect of an order on the shop.
 *
 * @param order the order that reduces the stock
 * @param row the ledger's row
 */
public record Effect(Order order, LedgerRow row) {

  /**
   * Returns the effect of a message.
   *
   * @param body the bytes of the message
   * @param consumer the consumer in the ledger
   * @throws RejectedMessageException if the message is not an order
   */
  public static Effect of(Delivery<?> delivery, byte[] body, long consumer) {
    Order order;
    try {
      order = OrderJson.read(body);
    } catch (UncheckedIOException e) {
      throw new RejectedMessageException("message " + delivery.messageId() + " is not an order", e);
    }
    return new Effect(
        order,
        new LedgerRow(
            order.id(),
            delivery.fencingToken(),
            delivery.attempt(),
            delivery.recovery(),
            consumer));
  }
}
