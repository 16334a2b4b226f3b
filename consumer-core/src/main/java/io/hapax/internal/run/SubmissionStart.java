package io.hapax.internal.run;

import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.SubmissionOrder;
import io.hapax.internal.message.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Starts the messages of a submission after their ids were read. */
public final class SubmissionStart<M> {

  private static final Duration STILL_HANDLED = Duration.ofSeconds(1);

  private final BlockedMessages blocked;
  private final InFlightIds ids;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;
  private final Consumer<List<InFlightMessage<M>>> mode;
  private final SubmissionOrder order = new SubmissionOrder();

  public SubmissionStart(
      BlockedMessages blocked,
      InFlightIds ids,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Consumer<List<InFlightMessage<M>>> mode) {
    this.blocked = blocked;
    this.ids = ids;
    this.outcomes = outcomes;
    this.tasks = tasks;
    this.mode = mode;
  }

  public SubmissionOrder order() {
    return order;
  }

  /** Begins with a submission, if it has a position, once those before it have begun. */
  public void begin(ActiveSubmission<M> submission, List<InFlightMessage<M>> items) {
    Optional<ActiveSubmission.Position> position = submission.position();
    if (position.isEmpty()) {
      beginNow(submission, items);
      return;
    }
    Runnable begin = tasks.guarded(items, () -> beginNow(submission, items));
    Runnable stop = position.get()::stopLanes;
    order.begin(position.get().place(), () -> {
      begin.run();
      if (submission.abandoned() || submission.broken()) {
        tasks.untilItSucceeds(stop); // some messages may have come into no lane
      }
    });
  }

  private void beginNow(ActiveSubmission<M> submission, List<InFlightMessage<M>> items) {
    blocked.redelivered(items);
    for (InFlightMessage<M> item : items) {
      if (item.markable && !ids.register(item.requiredKey(), item)) {
        outcomes.finish(item, Deferrals.busy(STILL_HANDLED));
      } else if (!item.markable) {
        item.givenUpFor().ifPresent(unread -> outcomes.finish(item, unread));
      }
    }
    submission.items(items); // after the ids: a message that is given up earlier would keep its id
    if (submission.abandoned()) {
      outcomes.giveUp(items, Deferrals.ABANDONED);
    }
    tasks.guarded(items, () -> mode.accept(items)).run();
  }
}
