package io.hapax.demo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Sends the messages of a run: a portion for each blow, because the consumer that it befalls, or
 * who takes over from it, may take all that is there; and the rest for the kills and all that
 * follows.
 */
final class Publication {

  private final OrderBroker broker;
  private final Iterator<List<Posting>> portions;

  Publication(OrderBroker broker, List<Posting> postings, Faults faults) {
    this.broker = broker;
    this.portions = portions(postings, faults).iterator();
  }

  /** One for each blow, and the rest. */
  static <M> List<List<M>> portions(List<M> messages, Faults faults) {
    int apart = messages.size() / (faults.count() + 1);
    List<List<M>> portions = new ArrayList<>();
    for (int blow = 0; blow < faults.blows(); blow++) {
      portions.add(messages.subList(blow * apart, (blow + 1) * apart));
    }
    portions.add(messages.subList(faults.blows() * apart, messages.size()));
    return portions;
  }

  /** Sends the next portion, if there is one, and returns when the broker has it. */
  void next() throws BrokerException, InterruptedException {
    if (portions.hasNext()) {
      broker.publish(portions.next());
    }
  }
}
