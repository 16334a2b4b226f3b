package io.hapax.internal.run;

import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.settle.UnmarkedMessages;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayList;
import java.util.List;

/** Selects and starts the messages of a transaction, and frees their ids after it. */
public record BatchClaims<M>(
    ClaimCall call, InFlightIds ids, UnmarkedMessages<M> unmarked, Outcomes<M> outcomes) {

  /**
   * Finishes messages without an id and messages behind a stopped one; returns the others. A
   * message whose id is in flight elsewhere stops its lane.
   */
  List<InFlightMessage<M>> select(List<InFlightMessage<M>> messages) {
    BlockedLanes stops = new BlockedLanes();
    List<InFlightMessage<M>> mine = new ArrayList<>();
    for (InFlightMessage<M> message : messages) {
      if (stops.stopped(message)) {
        outcomes.finish(message, stops.behind(message));
      } else if (!message.markable && message.start()) {
        stops.at(message, unmarked.finish(message));
      } else if (!message.markable) {
        stops.after(message); // it was given up
      } else if (ids.heldBy(message)) {
        mine.add(message);
      } else if (!ids.followsInItsLane(message)) {
        stops.after(message);
      }
    }
    return mine;
  }

  /** Starts the messages that may run, once all have their requests, and returns them. */
  List<InFlightMessage<M>> begin(List<InFlightMessage<M>> all) {
    var unused = requests(all); // an exception must not leave messages that have begun
    return all.stream()
        .filter(message -> message.start() && message.beginHandling())
        .toList();
  }

  /** Returns the requests of messages: the same as before for a message that has one. */
  List<ClaimRequest> requests(List<InFlightMessage<M>> messages) {
    return messages.stream()
        .map(message -> message.request().orElseGet(() -> ask(message)))
        .toList();
  }

  private ClaimRequest ask(InFlightMessage<M> message) {
    ClaimRequest request = call.inTransaction(message);
    message.storeRequest(request);
    return request;
  }

  /** Frees the ids of the messages; after a rollback the messages may start again. */
  void end(List<InFlightMessage<M>> messages, boolean committed) {
    for (InFlightMessage<M> message : messages) {
      outcomes.handled(message);
      if (!committed) {
        message.lease.startOver();
        message.startOver();
      }
    }
  }
}
