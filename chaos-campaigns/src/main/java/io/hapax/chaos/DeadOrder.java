package io.hapax.chaos;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.OrderJson;
import java.util.Optional;
import java.util.function.Function;

/**
 * A message in the dead-letter topic: the id of its order, and the name of the kind of dead letter.
 */
record DeadOrder(String id, String kind) {

  static DeadOrder of(byte[] body, Function<String, Optional<String>> property) {
    return new DeadOrder(
        property.apply(OrderChannel.ID).orElseGet(() -> OrderJson.read(body).id()),
        DeadLetterMetadata.read(property).kind());
  }
}
