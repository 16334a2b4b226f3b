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
import java.util.function.Supplier;
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
  private final Queue<Turn> next = new ArrayDeque<>();

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

  /** Reads a submission and begins with it; does nothing if the submission was given up. */
  void run(ActiveSubmission<M> submission, Supplier<List<InFlightMessage<M>>> read) {
    if (submission.position().isEmpty()) {
      tasks.guarded(submission, () -> beginNow(submission, read.get())).run();
    } else {
      Turn turn = new Turn(submission);
      tasks.guarded(submission, () -> turn.messages = read.get()).run();
      add(turn);
      beginAll();
    }
  }

  /** Begins with what waits, unless another thread does. */
  private void beginAll() {
    for (Turn due = next(); due != null; due = next()) {
      due.begin();
      begun();
    }
  }

  private synchronized void add(Turn turn) {
    next.add(turn);
  }

  private synchronized @Nullable Turn next() {
    Turn due = beginning ? null : next.poll();
    beginning |= due != null;
    return due;
  }

  private synchronized void begun() {
    beginning = false;
  }

  private void beginNow(ActiveSubmission<M> submission, List<InFlightMessage<M>> messages) {
    blocked.redelivered(messages); // first: from then on they may get their outcomes
    if (messages.isEmpty() || !submission.become(messages)) {
      blocked.ended(messages);
      return;
    }
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

  /** Begins with one submission of open lanes. */
  private final class Turn {

    private final ActiveSubmission<M> submission;
    private List<InFlightMessage<M>> messages = List.of();

    Turn(ActiveSubmission<M> submission) {
      this.submission = submission;
    }

    void begin() {
      tasks.guarded(submission, () -> beginNow(submission, messages)).run();
      if (submission.abandoned() || submission.broken()) {
        submission.position().orElseThrow().stopLanes(); // some may have come into no lane
      }
    }
  }
}
