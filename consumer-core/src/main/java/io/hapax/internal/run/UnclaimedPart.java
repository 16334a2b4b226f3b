package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is left of a lane of a submission when no more is claimed than there are workers. It goes on
 * once its turn in its lane has come.
 */
final class UnclaimedPart<M> extends OpenLane.Part {

  private final OpenLane lane;
  private final List<InFlightMessage<M>> all;
  private final Deque<InFlightMessage<M>> items;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;

  // Allocated with it: where memory is used up, the messages behind would wait for ever.
  private final Runnable begin;
  private final Runnable end = this::endOnce;
  private boolean begun;

  /**
   * Of the messages of one lane.
   *
   * @param claimNext claims its next messages
   */
  UnclaimedPart(
      OpenLane lane,
      List<InFlightMessage<M>> all,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Consumer<UnclaimedPart<M>> claimNext) {
    this.lane = lane;
    this.all = all;
    this.items = new ArrayDeque<>(all);
    this.outcomes = outcomes;
    this.tasks = tasks;
    this.begin = tasks.guarded(all, () -> claimNext.accept(this));
  }

  /** Returns the messages that are not claimed. */
  Deque<InFlightMessage<M>> items() {
    return items;
  }

  @Override
  public void turn() {
    if (begins()) {
      begin.run();
    }
  }

  private synchronized boolean begins() {
    boolean begins = !begun && lane.isTurnOf(this);
    begun |= begins;
    return begins;
  }

  @Override
  public void giveUp(Deferred because) {
    outcomes.giveUp(all, because);
  }

  /** Gives up the messages that are not claimed, and all parts behind this one. */
  void stop(Deferred because) {
    outcomes.giveUp(items, because);
    lane.stopped(this, because);
  }

  /** Lets the next part have its turn. */
  void pass() {
    lane.passed(this);
  }

  /** Ends it when its submission has ended, also if an error has ended its work. Does not throw. */
  void end() {
    tasks.untilItSucceeds(end);
  }

  private void endOnce() {
    Optional<Deferred> stop = all.stream().flatMap(it -> it.stop().stream()).findFirst();
    if (stop.isPresent()) {
      lane.stopped(this, Deferrals.behind(stop.get().after()));
    } else if (lane.isTurnOf(this)) {
      pass();
    }
  }
}
