package io.hapax.internal.run;

import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Registers the ids of submissions and starts their messages. Submissions of open lanes begin one
 * after the other: so every message waits only for messages that were registered before it, and no
 * two lanes can wait for each other.
 */
public final class SubmissionStart<M> {

  private static final Duration STILL_HANDLED = Duration.ofSeconds(1);

  private final BlockedMessages blocked;
  private final InFlightIds ids;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;
  private final Consumer<List<InFlightMessage<M>>> mode;

  /** What begins next; this object's lock guards it. Nothing runs under the lock. */
  private final Queue<Runnable> next = new ArrayDeque<>();

  private boolean beginning;

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

  /** Begins with a submission, whose messages were read; does nothing if it was given up. */
  void begin(ActiveSubmission<M> submission, List<InFlightMessage<M>> read) {
    if (submission.position().isEmpty()) {
      beginNow(submission, read);
    } else {
      Runnable begin = tasks.guarded(submission, () -> beginNow(submission, read));
      Runnable stop = submission.position().get()::stopLanes;
      inTurn(() -> {
        begin.run();
        if (submission.abandoned() || submission.broken()) {
          tasks.untilItSucceeds(stop); // some messages may have come into no lane
        }
      });
    }
  }

  /** Runs work, which does not throw, behind what waits, on this thread or the one that begins. */
  private void inTurn(Runnable work) {
    add(work);
    for (Runnable due = next(); due != null; due = next()) {
      try {
        due.run();
      } finally {
        begun();
      }
    }
  }

  private synchronized void add(Runnable work) {
    next.add(work);
  }

  private synchronized @Nullable Runnable next() {
    Runnable due = beginning ? null : next.poll();
    beginning |= due != null;
    return due;
  }

  private synchronized void begun() {
    beginning = false;
  }

  private void beginNow(ActiveSubmission<M> submission, List<InFlightMessage<M>> messages) {
    if (messages.isEmpty() || !submission.become(messages)) {
      return;
    }
    blocked.redelivered(messages);
    messages.forEach(this::register);
    if (submission.abandoned()) {
      outcomes.giveUp(messages, Deferrals.ABANDONED);
    }
    mode.accept(messages);
  }

  private void register(InFlightMessage<M> message) {
    if (!message.markable) {
      message.givenUpFor().ifPresent(unread -> outcomes.finish(message, unread));
    } else if (!ids.register(message.requiredKey(), message)) {
      outcomes.finish(message, Deferrals.busy(STILL_HANDLED));
    } else if (!message.unfinished()) { // given up before: what frees its id has passed
      ids.release(message.requiredKey(), message);
    }
  }
}
