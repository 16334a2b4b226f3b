package io.hapax.internal.run;

import io.hapax.internal.claim.Claims;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Holds the parts that all lanes of an engine use, and creates lanes. */
public record Lanes<M>(
    Step<M> step, MessageStart<M> start, Claims<M> claims, Suspects<M> suspects, Tasks<M> tasks) {

  /**
   * Returns the messages as a part of a lane, behind its other parts. The first action runs once or
   * more when its turn has come, the second one before a message waits for a probe.
   */
  Lane<M> lane(
      OpenLane lane,
      List<InFlightMessage<M>> messages,
      Runnable atTurn,
      Consumer<InFlightMessage<M>> beforeProbe) {
    Lane<M> part = new Lane<>(this, lane, messages, atTurn, beforeProbe);
    part.append();
    return part;
  }

  /** Returns the messages by lane, each in the order in which they were submitted. */
  static <M> Collection<List<InFlightMessage<M>>> group(Collection<InFlightMessage<M>> messages) {
    Map<String, List<InFlightMessage<M>>> lanes = new LinkedHashMap<>();
    for (InFlightMessage<M> message : messages) {
      lanes.computeIfAbsent(message.incoming.lane(), lane -> new ArrayList<>()).add(message);
    }
    return lanes.values();
  }
}
