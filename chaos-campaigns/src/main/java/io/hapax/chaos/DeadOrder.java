package io.hapax.chaos;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderJson;
import java.util.Optional;
import java.util.function.Function;

/**
 * A message in the dead-letter topic.
 *
 * @param id the id of its order
 * @param kind the name of the {@link io.hapax.DeadLetter.Kind}
 */
record DeadOrder(String id, String kind) {

  /**
   * Reads one.
   *
   * @param property returns the message's header or property of a name
   */
  static DeadOrder of(byte[] body, Function<String, Optional<String>> property) {
    return new DeadOrder(
        property.apply(OrderChannel.ID).orElseGet(() -> OrderJson.read(body).id()),
        DeadLetterMetadata.read(property).kind());
  }
}
