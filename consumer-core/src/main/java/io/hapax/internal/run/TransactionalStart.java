package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Tasks;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Begins with submissions in transactional mode. One begins when the turn of all its lanes has
 * come, which is when the earlier messages of these lanes have their outcomes.
 */
public final class TransactionalStart<M> {

  private final Consumer<List<InFlightMessage<M>>> mode;
  private final Tasks<M> tasks;

  /** The first part runs messages on probation, the second one the others. */
  public TransactionalStart(Lanes<M> lanes, BatchTransaction<M, ?> batches, Tasks<M> tasks) {
    this.mode = messages -> {
      lanes.runAlone(messages.stream().filter(it -> it.incoming.probation()).toList());
      batches.run(messages.stream().filter(it -> !it.incoming.probation()).toList());
    };
    this.tasks = tasks;
  }

  public void run(List<InFlightMessage<M>> messages) {
    Collection<List<InFlightMessage<M>>> lanes = Lanes.group(messages);
    AtomicInteger missing = new AtomicInteger(lanes.size());
    Runnable begin = tasks.guarded(messages, () -> mode.accept(messages));
    lanes.forEach(lane -> new Part<>(lane, missing, begin).append());
  }

  private static final class Part<M> extends OpenLane.Part<M> {

    /** How many parts of its submission have not had their turn. */
    private final AtomicInteger missing;

    private final Runnable begin;
    private final AtomicBoolean came = new AtomicBoolean();

    Part(List<InFlightMessage<M>> messages, AtomicInteger missing, Runnable begin) {
      super(messages.get(0).lane(), messages);
      this.missing = missing;
      this.begin = begin;
    }

    @Override
    protected void turn() {
      if (hasTurn()) {
        come();
        if (isOver()) {
          givenUpOrOver();
        }
      }
    }

    @Override
    protected void giveUp(Deferred because) {
      super.giveUp(because);
      come();
    }

    /** Begins the submission at the last turn, unless it has all outcomes already. */
    private void come() {
      if (came.compareAndSet(false, true) && missing.decrementAndGet() == 0 && !isOver()) {
        begin.run();
      }
    }

    private boolean isOver() {
      return messages.get(0).submission.over();
    }
  }
}
