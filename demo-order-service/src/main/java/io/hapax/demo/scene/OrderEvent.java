package io.hapax.demo.scene;

import io.hapax.demo.Json;
import io.hapax.errors.RejectedMessageException;
import java.io.UncheckedIOException;

/**
 * A fact about an order, as it travels on a topic.
 *
 * @param id the business message id, the same whenever the event is sent again
 * @param type what happened, for example {@code PAID}
 * @param amount pieces or cents, as the type says
 */
public record OrderEvent(String id, String orderId, String type, int amount) {

  /** Makes an event whose id is the order's id with the type: an order has one of each type. */
  public static OrderEvent of(String orderId, String type, int amount) {
    return new OrderEvent(orderId + '/' + type, orderId, type, amount);
  }

  /** Writes the event as JSON: always the same bytes for the same event. */
  public byte[] toJson() {
    return Json.write(this);
  }

  /** Reads what {@link #toJson} wrote. Other bytes are rejected. */
  public static OrderEvent fromJson(byte[] json) {
    try {
      return Json.read(json, OrderEvent.class);
    } catch (UncheckedIOException e) {
      throw new RejectedMessageException("not an event of an order", e);
    }
  }
}
