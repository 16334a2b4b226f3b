package io.hapax.chaos;

import io.hapax.IdExtractor;
import io.hapax.demo.OrderChannel;
import java.util.function.Function;

enum MarkIds {
  PLAIN(""),
  /** The id within its topic, as the listeners of Spring have it. */
  WITHIN_TOPIC(OrderChannel.TOPIC + '/');

  private final String prefix;

  MarkIds(String prefix) {
    this.prefix = prefix;
  }

  String of(String order) {
    return prefix + order;
  }

  String order(String id) {
    return id.startsWith(prefix) ? id.substring(prefix.length()) : id;
  }

  <M> IdExtractor<M> extractor(Function<M, String> topic, IdExtractor<M> orders) {
    return this == PLAIN ? orders : IdExtractor.within(topic, orders);
  }
}
