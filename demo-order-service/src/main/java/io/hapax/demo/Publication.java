package io.hapax.demo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Sends the orders of a run: all at once, or one portion up to each stop and one after the last,
 * because whoever takes over from a stopped consumer takes all that is there.
 */
final class Publication {

  private final OrderBroker broker;
  private final Iterator<List<Order>> portions;

  Publication(OrderBroker broker, List<Order> orders, Faults faults) {
    this.broker = broker;
    this.portions = portions(orders, faults).iterator();
  }

  /** What comes before the first stop needs orders as well; the kills come after the last. */
  static List<List<Order>> portions(List<Order> orders, Faults faults) {
    int apart = orders.size() / (faults.count() + 1);
    List<List<Order>> portions = new ArrayList<>();
    int sent = 0;
    for (int stop = 0; stop < faults.stops(); stop++) {
      int end = sent + (stop == 0 ? apart * (faults.beforeStops() + 1) : apart);
      portions.add(orders.subList(sent, end));
      sent = end;
    }
    portions.add(orders.subList(sent, orders.size()));
    return portions;
  }

  /** Sends the next portion, if there is one, and returns when the broker has it. */
  void next() throws BrokerException, InterruptedException {
    if (portions.hasNext()) {
      broker.publish(portions.next());
    }
  }
}
