package io.hapax.simulation;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import java.util.List;

/**
 * Lanes of an engine that may be closed and used again, as for a partition that stays after all.
 */
final class LaneSource implements LaneGroup<Post> {

  private final Engine<Post> engine;
  private LaneGroup<Post> lanes;
  private boolean closed;

  LaneSource(Engine<Post> engine) {
    this.engine = engine;
    this.lanes = engine.openLanes();
  }

  /** Whether it was closed, so that nothing may be submitted until all outcomes are known. */
  boolean closed() {
    return closed;
  }

  @Override
  public Submission submit(List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
    if (closed) {
      lanes = engine.openLanes();
      closed = false;
    }
    return lanes.submit(messages, sink);
  }

  @Override
  public void restart(String lane) {
    lanes.restart(lane);
  }

  @Override
  public void close() {
    closed = true;
    lanes.close();
  }
}
