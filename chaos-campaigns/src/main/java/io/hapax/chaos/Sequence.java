package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that the orders of each customer took effect in the published sequence. Only the first
 * effect of an order counts: a takeover may repeat it later.
 */
final class Sequence {

  private final List<Order> published;
  private final Map<String, Integer> places = new HashMap<>();

  Sequence(List<Order> published) {
    this.published = List.copyOf(published);
    published.forEach(order -> places.put(order.id(), places.size()));
  }

  /**
   * Returns the orders that were overtaken. The ledger has the sequence in which it was written.
   */
  List<String> broken(List<LedgerRow> ledger) {
    List<String> violations = new ArrayList<>();
    Map<String, Integer> latest = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (LedgerRow row : ledger) {
      Integer place = places.get(row.orderId());
      if (place != null && seen.add(row.orderId())) {
        String customer = published.get(place).customer();
        int before = latest.getOrDefault(customer, place);
        if (place < before) {
          violations.add(row.orderId() + " took effect after "
              + published.get(before).id() + ", which " + customer + " ordered later");
        } else {
          latest.put(customer, place);
        }
      }
    }
    return violations;
  }
}
