package io.hapax.internal.run;

import io.hapax.internal.Engine;
import io.hapax.internal.message.InFlightMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Claims all messages of a submission in one call, and runs their lanes. */
public final class EagerClaim<M> {

  private final Engine<M> engine;
  private final Step<M> step;

  public EagerClaim(Engine<M> engine, Step<M> step) {
    this.engine = engine;
    this.step = step;
  }

  public void run(List<InFlightMessage<M>> items) {
    List<Lane<M>> lanes =
        lanes(items).stream().map(lane -> new Lane<>(engine, lane, step)).toList();
    List<InFlightMessage<M>> asked = new ArrayList<>(items);
    asked.removeIf(item -> !engine.running().heldBy(item));
    Runnable answered = () -> lanes.forEach(Lane::openOnceAnswered);
    if (items.stream().anyMatch(item -> item.batch.isHere())) {
      engine.claimer().claimElsewhere(asked, answered);
    } else {
      engine.claimer().claim(asked, answered);
    }
  }

  /** The items by lane, each in the order handed in. */
  static <M> Collection<List<InFlightMessage<M>>> lanes(Collection<InFlightMessage<M>> items) {
    Map<String, List<InFlightMessage<M>>> lanes = new LinkedHashMap<>();
    for (InFlightMessage<M> item : items) {
      lanes.computeIfAbsent(item.incoming.lane(), lane -> new ArrayList<>()).add(item);
    }
    return lanes.values();
  }
}
