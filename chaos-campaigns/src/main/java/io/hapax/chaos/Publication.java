package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Sends the messages of a run in portions: one for each fault, because the consumer may take all
 * available messages. The rest is for the kills and all later work.
 */
final class Publication {

  private final OrderBroker broker;
  private final Iterator<List<Posting>> portions;

  Publication(OrderBroker broker, List<Posting> postings, FaultPlan faults) {
    this.broker = broker;
    this.portions = portions(postings, faults).iterator();
  }

  /** Splits the messages: one portion for each fault, and the rest. */
  static <M> List<List<M>> portions(List<M> messages, FaultPlan faults) {
    int apart = messages.size() / (faults.count() + 1);
    List<List<M>> portions = new ArrayList<>();
    for (int fault = 0; fault < faults.survivable(); fault++) {
      portions.add(messages.subList(fault * apart, (fault + 1) * apart));
    }
    portions.add(messages.subList(faults.survivable() * apart, messages.size()));
    return portions;
  }

  /** Sends the next portion, if there is one, and returns when the broker has stored it. */
  void next() throws BrokerException, InterruptedException {
    if (portions.hasNext()) {
      broker.publish(portions.next());
    }
  }
}
