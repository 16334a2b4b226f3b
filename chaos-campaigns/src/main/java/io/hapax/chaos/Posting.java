package io.hapax.chaos;

import io.hapax.demo.Order;
import io.hapax.demo.OrderJson;
import java.util.Arrays;
import java.util.Optional;

/**
 * A message that the producer sends.
 *
 * @param order the intended order
 * @param flaw the defect of the message
 */
record Posting(Order order, Flaw flaw) {

  /** Returns the id of the message. */
  Optional<String> id() {
    return flaw == Flaw.NO_ID ? Optional.empty() : Optional.of(order.id());
  }

  /** Returns the payload. */
  byte[] body() {
    byte[] json = OrderJson.write(order);
    return flaw == Flaw.TORN ? Arrays.copyOf(json, json.length / 2) : json;
  }
}
