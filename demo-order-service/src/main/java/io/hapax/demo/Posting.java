package io.hapax.demo;

import java.util.Arrays;
import java.util.Optional;

/**
 * A message as the producer sends it.
 *
 * @param order the order that was meant
 * @param flaw what became of it on its way
 */
record Posting(Order order, Flaw flaw) {

  /** The id that it carries. */
  Optional<String> id() {
    return flaw == Flaw.NO_ID ? Optional.empty() : Optional.of(order.id());
  }

  /** Its payload. */
  byte[] body() {
    byte[] json = OrderJson.write(order);
    return flaw == Flaw.TORN ? Arrays.copyOf(json, json.length / 2) : json;
  }
}
