package io.hapax.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the orders of each customer took effect in the sequence in which they were published. An
 * order counts where it took effect first: a repeat that a takeover explains comes later.
 */
final class Sequence {

  private final Map<String, Order> orders = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();

  /**
   * The sequence that has to be kept.
   *
   * @param published each order once
   */
  Sequence(List<Order> published) {
    for (Order order : published) {
      places.put(order.id(), places.size());
      orders.put(order.id(), order);
    }
  }

  /**
   * The orders that were overtaken, each a fault.
   *
   * @param ledger in the sequence in which it was written
   */
  List<String> broken(List<LedgerRow> ledger) {
    List<String> faults = new ArrayList<>();
    Map<String, Order> latest = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (LedgerRow row : ledger) {
      Order order = orders.get(row.orderId());
      if (order != null && seen.add(order.id())) {
        Order before = latest.getOrDefault(order.customer(), order);
        if (place(order) < place(before)) {
          faults.add(order.id() + " took effect after " + before.id() + ", which "
              + order.customer() + " ordered later");
        } else {
          latest.put(order.customer(), order);
        }
      }
    }
    return faults;
  }

  private int place(Order order) {
    return places.getOrDefault(order.id(), 0);
  }
}
