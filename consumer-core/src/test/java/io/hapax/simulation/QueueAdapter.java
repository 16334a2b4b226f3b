package io.hapax.simulation;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.simulation.QueueBroker.Parcel;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands in what it pulls, each message in a lane of its own or all in one that keeps no order, and
 * acknowledges what stands.
 */
final class QueueAdapter implements Adapter {

  private final ConsumerProcess process;
  private final QueueBroker broker;
  private int underway;
  private int polls;

  QueueAdapter(ConsumerProcess process, QueueBroker broker) {
    this.process = process;
    this.broker = broker;
  }

  @Override
  public void poll() {
    List<Parcel> pulled = broker.pull(process, process.world().plan().window());
    if (pulled.isEmpty()) {
      return;
    }
    List<Incoming<Post>> messages = new ArrayList<>();
    List<Integer> deliveries = new ArrayList<>();
    for (Parcel parcel : pulled) {
      String where = "queue@" + parcel.post().serial() + "#" + parcel.deliveries();
      boolean alone = !process.world().plan().sharesLanes();
      messages.add(new Incoming<>(
          Handout.of(parcel.post()),
          alone ? where : "queue",
          alone,
          where,
          parcel.deliveries() > 2,
          Incoming.NO_TIMESTAMP));
      deliveries.add(parcel.deliveries());
    }
    underway += pulled.size();
    process.world().witness().note(() -> process + " hands in " + messages);
    Submission.OutcomeSink sink = (index, outcome) -> {
      if (!process.life().over()) {
        underway--;
        outcome(pulled.get(index), deliveries.get(index), outcome);
      }
    };
    handIn(messages, sink);
    if (process.world().makes(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE)) {
      pulled.forEach(broker::acknowledge);
    }
  }

  private void handIn(List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
    polls++;
    if (process.world().plan().handlesHere() && polls % 2 == 0) {
      var unused = process.handleHere(messages, sink);
    } else {
      var unused = process.engine().submit(messages, sink);
    }
  }

  private void outcome(Parcel parcel, int delivery, Outcome outcome) {
    process.world().witness().note(() -> process + " outcome of " + parcel.post() + ": " + outcome);
    if (outcome instanceof Outcome.Deferred deferred
        && !process.world().makes(Mistake.ADAPTER_ACKNOWLEDGES_DEFERRALS)) {
      broker.deliverLater(parcel, delivery, deferred.after());
    } else {
      broker.acknowledge(parcel);
    }
  }

  @Override
  public boolean idle() {
    return underway == 0;
  }
}
