package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Tasks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    new InTurn(messages).append();
  }

  private final class InTurn {

    private final ActiveSubmission<M> submission;
    private final List<InFlightMessage<M>> messages;

    /** The parts whose turn has not come. The lock of this guards it. */
    private final Set<Part> waiting = new HashSet<>();

    InTurn(List<InFlightMessage<M>> messages) {
      this.submission = messages.get(0).submission;
      this.messages = messages;
    }

    void append() {
      List<Part> parts =
          Lanes.group(messages).stream().map(lane -> new Part(this, lane)).toList();
      waiting.addAll(parts);
      parts.forEach(Part::append);
    }

    /** Runs the submission at the last turn, unless it has all outcomes already. */
    void came(Part part) {
      if (isLast(part) && !submission.over()) {
        tasks.guarded(messages, () -> mode.accept(messages)).run();
      }
    }

    private synchronized boolean isLast(Part part) {
      return waiting.remove(part) && waiting.isEmpty();
    }
  }

  private final class Part extends OpenLane.Part<M> {

    private final InTurn submission;

    Part(InTurn submission, List<InFlightMessage<M>> messages) {
      super(messages.get(0).lane(), messages);
      this.submission = submission;
    }

    @Override
    protected void turn() {
      if (hasTurn()) {
        submission.came(this);
        if (submission.submission.over()) {
          givenUpOrOver();
        }
      }
    }

    @Override
    protected void giveUp(Deferred because) {
      super.giveUp(because);
      submission.came(this);
    }
  }
}
