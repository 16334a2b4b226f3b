package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.ActiveSubmission.Position;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLane;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Begins with submissions in transactional mode. One of open lanes begins when the turn of all its
 * lanes has come, which is when the earlier messages of these lanes have their outcomes.
 */
public final class TransactionalStart<M> {

  private final Consumer<List<InFlightMessage<M>>> mode;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;

  /** The first part runs messages on probation, the second one the others. */
  public TransactionalStart(
      EagerClaim<M> claimedFirst,
      BatchTransaction<M, ?> batches,
      Outcomes<M> outcomes,
      Tasks<M> tasks) {
    this.mode = messages -> {
      claimedFirst.runAlone(
          messages.stream().filter(it -> it.incoming.probation()).toList());
      batches.run(messages.stream().filter(it -> !it.incoming.probation()).toList());
    };
    this.outcomes = outcomes;
    this.tasks = tasks;
  }

  public void run(List<InFlightMessage<M>> messages) {
    Optional<Position> open = Lanes.open(messages);
    if (open.isPresent()) {
      new InTurn(messages).append(open.get());
    } else {
      mode.accept(messages);
    }
  }

  /** A submission that waits for the turns of its lanes. */
  private final class InTurn {

    private final ActiveSubmission<M> submission;
    private final List<InFlightMessage<M>> messages;
    private final List<Part> parts = new ArrayList<>();
    private int missing;

    InTurn(List<InFlightMessage<M>> messages) {
      this.submission = messages.get(0).submission;
      this.messages = messages;
    }

    void append(Position open) {
      for (List<InFlightMessage<M>> lane : Lanes.group(messages)) {
        parts.add(new Part(this, open.lane(Lanes.name(lane)), lane));
      }
      missing = parts.size();
      parts.forEach(Part::append);
    }

    /** Runs the submission at the last turn, unless it has all outcomes already. */
    void came(Part part) {
      if (countDown(part) && !submission.over()) {
        tasks.guarded(messages, () -> mode.accept(messages)).run();
      }
    }

    private synchronized boolean countDown(Part part) {
      if (part.came) {
        return false;
      }
      part.came = true;
      missing--;
      return missing == 0;
    }
  }

  private final class Part extends LanePart<M> {

    private final InTurn submission;
    private boolean came;

    Part(InTurn submission, OpenLane lane, List<InFlightMessage<M>> messages) {
      super(lane, messages, outcomes);
      this.submission = submission;
    }

    @Override
    public void turn() {
      if (hasTurn()) {
        submission.came(this);
        if (submission.submission.over()) {
          givenUpOrOver();
        }
      }
    }

    @Override
    public void giveUp(Deferred because) {
      super.giveUp(because);
      submission.came(this);
    }
  }
}
