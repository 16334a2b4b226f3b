package io.hapax.internal.run;

import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.MessageReader;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ids of submissions on the threads that submit them, registers the ids, and starts the
 * messages. Until the generation is known, which is a part of the ids' keys, submissions wait
 * unread, in the order of submission.
 *
 * <p>Submissions of open lanes start one after the other: so every message waits only for messages
 * that were registered before it, and no two lanes can wait for each other.
 */
public final class Admission<M> {

  private static final Duration STILL_HANDLED = Duration.ofSeconds(1);

  private final Supplier<MessageReader<M>> readers;
  private final BlockedMessages blocked;
  private final InFlightIds ids;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;
  private final Consumer<List<InFlightMessage<M>>> mode;
  private final Queue<ActiveSubmission<M>> unread = new ArrayDeque<>();
  private volatile @Nullable MessageReader<M> reader;

  /** Whether submissions are read at once. This object's lock guards it and the queue. */
  private boolean open;

  private boolean ended;

  /** What starts next; this object's lock guards it. Nothing runs under the lock. */
  private final Queue<Runnable> next = new ArrayDeque<>();

  private boolean starting;

  /** The reader is made once the generation is known. */
  public Admission(
      Supplier<MessageReader<M>> readers,
      BlockedMessages blocked,
      InFlightIds ids,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Consumer<List<InFlightMessage<M>>> mode) {
    this.readers = readers;
    this.blocked = blocked;
    this.ids = ids;
    this.outcomes = outcomes;
    this.tasks = tasks;
    this.mode = mode;
  }

  /** Reads a submission on this thread and starts it, or lets it wait. */
  public void take(ActiveSubmission<M> submission) {
    if (!queued(submission)) {
      begin(submission);
    }
  }

  /**
   * Reads the submissions that wait, and lets later ones be read at once. Called once, when the
   * generation is known.
   */
  public void open() {
    reader = readers.get();
    for (ActiveSubmission<M> due = nextUnread(); due != null; due = nextUnread()) {
      ActiveSubmission<M> submission = due;
      tasks.read(submission, () -> begin(submission));
    }
  }

  /** Lets all later submissions wait, because nothing is claimed any more. */
  public synchronized void end() {
    ended = true;
    open = false;
    unread.clear();
  }

  private synchronized @Nullable ActiveSubmission<M> nextUnread() {
    ActiveSubmission<M> due = unread.poll();
    open = due == null && !ended;
    return due;
  }

  private synchronized boolean queued(ActiveSubmission<M> submission) {
    if (!open && !ended) {
      // Not those of open lanes: what is behind them in their lanes must not run.
      unread.removeIf(it -> it.over() && it.position().isEmpty());
      unread.add(submission);
    }
    return !open;
  }

  private void begin(ActiveSubmission<M> submission) {
    if (submission.position().isEmpty()) {
      tasks.guarded(submission, () -> start(submission, read(submission))).run();
      return;
    }
    List<InFlightMessage<M>> messages = new ArrayList<>();
    tasks.guarded(submission, () -> messages.addAll(read(submission))).run();
    add(() -> startInLanes(submission, messages));
    for (Runnable due = next(); due != null; due = next()) { // unless another thread does
      due.run();
      started();
    }
  }

  private List<InFlightMessage<M>> read(ActiveSubmission<M> submission) {
    MessageReader<M> known = reader;
    return known == null || submission.over() ? List.of() : known.read(submission);
  }

  private synchronized void add(Runnable start) {
    next.add(start);
  }

  private synchronized @Nullable Runnable next() {
    Runnable due = starting ? null : next.poll();
    starting |= due != null;
    return due;
  }

  private synchronized void started() {
    starting = false;
  }

  private void startInLanes(ActiveSubmission<M> submission, List<InFlightMessage<M>> messages) {
    tasks.guarded(submission, () -> start(submission, messages)).run();
    if (submission.abandoned() || submission.broken()) {
      submission.position().orElseThrow().stopLanes(); // some may have come into no lane
    }
  }

  private void start(ActiveSubmission<M> submission, List<InFlightMessage<M>> messages) {
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
    } else if (!ids.register(message)) {
      outcomes.finish(message, Deferrals.busy(STILL_HANDLED));
    } else if (!message.unfinished()) { // given up before: what frees its id has passed
      ids.release(message);
    }
  }
}
