package io.hapax.internal.run;

import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.settle.UnmarkedMessages;
import java.util.ArrayList;
import java.util.List;

/** Selects the messages of a submission that a transaction may begin with. */
public record BatchSelection<M>(
    InFlightIds ids, UnmarkedMessages<M> unmarked, Outcomes<M> outcomes) {

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
}
