package io.hapax.internal;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.ActiveSubmission.Position;
import io.hapax.internal.message.OpenLane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The lanes of one assignment, for its adapter. */
final class AssignedLanes<M> implements LaneGroup<M> {

  private final Engine<M> engine;

  /** A lane is kept until it is restarted. */
  private final Map<String, OpenLane> lanes = new ConcurrentHashMap<>();

  private boolean closed;

  AssignedLanes(Engine<M> engine) {
    this.engine = engine;
  }

  @Override
  public Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink) {
    ActiveSubmission<M> submission =
        engine.submission(messages, sink, Optional.of(position(messages)), Optional.empty());
    add(submission);
    engine.read(submission); // outside of any lock: it calls the user's code
    return submission;
  }

  private synchronized void add(ActiveSubmission<M> submission) {
    if (closed) {
      throw new IllegalStateException("the lanes are closed");
    }
    engine.add(submission);
  }

  private Position position(List<? extends Incoming<?>> messages) {
    Map<String, OpenLane> byName = new HashMap<>();
    for (Incoming<?> message : messages) {
      byName.computeIfAbsent(message.lane(), name -> lane(name, message.inOrder()));
    }
    return new Position(this, byName);
  }

  private OpenLane lane(String name, boolean inOrder) {
    return lanes.computeIfAbsent(name, unknown -> new OpenLane(inOrder));
  }

  @Override
  public void restart(String lane) {
    lanes.remove(lane);
  }

  @Override
  public synchronized void close() {
    closed = true;
    List<ActiveSubmission<M>> mine = new ArrayList<>(engine.parts().submissions().open().stream()
        .filter(it -> isOfMine(it) && !it.abandoned()) // the drain of the others has begun
        .toList());
    // The last first: otherwise it would be claimed in the room that the first one leaves.
    Collections.reverse(mine);
    mine.forEach(Submission::abandon);
  }

  private boolean isOfMine(ActiveSubmission<M> submission) {
    return submission.position().filter(it -> it.group() == this).isPresent();
  }
}
