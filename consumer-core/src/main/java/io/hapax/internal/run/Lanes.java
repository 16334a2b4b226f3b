package io.hapax.internal.run;

import io.hapax.internal.claim.Claimer;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the parts that all lanes of an engine use, and creates lanes.
 *
 * @param step runs the handler
 * @param batches selects the messages of one call of a batch handler
 */
public record Lanes<M>(
    Step<M> step,
    HandlerBatch<M> batches,
    MessageStart<M> start,
    Claimer<M> claimer,
    Suspects<M> suspects,
    Outcomes<M> outcomes,
    Tasks<M> tasks) {

  /** Returns a lane of these messages. */
  Lane<M> lane(List<InFlightMessage<M>> messages) {
    return new Lane<>(this, messages);
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
