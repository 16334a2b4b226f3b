package io.hapax.internal.run;

import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.settle.UnmarkedMessages;
import java.util.ArrayList;
import java.util.List;

/** Selects the messages of a submission that a transaction may begin with. */
public record BatchIntake<M>(InFlightIds ids, UnmarkedMessages<M> unmarked, Outcomes<M> outcomes) {

  /**
   * Finishes messages without an id and messages behind a stopped one; returns the others. A
   * message whose id is in flight elsewhere stops its lane.
   */
  List<InFlightMessage<M>> select(List<InFlightMessage<M>> items) {
    BlockedLanes stops = new BlockedLanes();
    List<InFlightMessage<M>> mine = new ArrayList<>();
    for (InFlightMessage<M> item : items) {
      if (stops.stopped(item)) {
        outcomes.finish(item, stops.behind(item));
      } else if (!item.markable && item.start()) {
        stops.at(item, unmarked.finish(item));
      } else if (!item.markable) {
        stops.after(item); // it was given up
      } else if (ids.heldBy(item)) {
        mine.add(item);
      } else if (!ids.followsInItsLane(item)) {
        stops.after(item);
      }
    }
    return mine;
  }
}
