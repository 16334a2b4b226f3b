package io.hapax.demo;

import io.hapax.Delivery;
import io.hapax.errors.RejectedMessageException;
import java.io.UncheckedIOException;

public record Effect(Order order, LedgerRow row) {

  /** Returns the effect of a message. A message that is not an order is rejected. */
  public static Effect of(Delivery<?> delivery, byte[] body, long consumer) {
    Order order;
    try {
      order = Json.read(body, Order.class);
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
