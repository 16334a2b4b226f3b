package io.hapax.chaos;

import io.hapax.IdExtractor;
import io.hapax.demo.OrderChannel;
import java.util.function.Function;

/** Makes the ids of marks from the ids of orders. */
enum MarkIds {
  /** The id of the order. */
  PLAIN(""),
  /** The id within its topic, as the listeners of Spring have it. */
  WITHIN_TOPIC(OrderChannel.TOPIC + '/');

  private final String prefix;

  MarkIds(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the id of an order's mark. */
  String of(String order) {
    return prefix + order;
  }

  /** Returns the order of a mark. */
  String order(String id) {
    return id.startsWith(prefix) ? id.substring(prefix.length()) : id;
  }

  /** Returns an extractor of the ids of marks. */
  <M> IdExtractor<M> extractor(Function<M, String> topic, IdExtractor<M> orders) {
    return this == PLAIN ? orders : IdExtractor.within(topic, orders);
  }
}
