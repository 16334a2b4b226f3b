package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Threads;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work for messages on a receiver's threads. If the work throws an unexpected exception or
 * error, its messages are deferred and the broker delivers them again. The claim of a message that
 * was started is not released, because its handler may have run; it ends with its lease.
 */
public final class Tasks<M> {

  private final String consumer;
  private final Threads threads;
  private final Outcomes<M> outcomes;
  private final Events events;

  public Tasks(String consumer, Threads threads, Outcomes<M> outcomes, Events events) {
    this.consumer = consumer;
    this.threads = threads;
    this.outcomes = outcomes;
    this.events = events;
    rehearse();
  }

  /**
   * Runs the deferral of messages once, so that the JVM loads its classes and links its calls.
   * Loading or linking after an OutOfMemoryError would fail, and the class would remain unusable.
   */
  private void rehearse() {
    Outcome.Deferred broken = Deferrals.broken(new OutOfMemoryError());
    outcomes.giveUp(List.of(), broken);
    new Deferral(List::of).finishStranded(broken);
    threads.untilItSucceeds(() -> {});
  }

  /**
   * Runs work that reads a submission, which calls the user's code, and does not throw: on its own
   * thread if that waits to run such code. Those of open lanes, whose order counts, are read on
   * this thread, and any other one delays no other.
   */
  public void read(ActiveSubmission<M> submission, Runnable work) {
    Executor reader = submission.position().isPresent() ? Runnable::run : threads::call;
    submission.executor(0, reader).execute(work);
  }

  /**
   * Runs work for messages of one submission, which may call the user's code: on a worker, or on
   * the thread that submitted them to run it itself.
   */
  public void work(List<InFlightMessage<M>> messages, Runnable work) {
    queueing(messages.get(0), guarded(messages, work)).run();
  }

  /** Runs work for messages of one submission as {@link #work} does, after a pause. */
  public void workLater(List<InFlightMessage<M>> messages, Runnable work, Duration pause) {
    threads.callLater(() -> work(messages, work), pause.toMillis());
  }

  /**
   * Returns an action that queues work, which does not throw, for a message without throwing.
   * Allocates everything in advance.
   */
  public Runnable queueing(InFlightMessage<M> message, Runnable guarded) {
    Executor executor = message.submission.executor(message.index, threads.workers());
    return () -> threads.execute(executor, guarded);
  }

  public void call(Collection<InFlightMessage<M>> messages, Runnable call) {
    threads.call(guarded(messages, call));
  }

  public void callLater(Collection<InFlightMessage<M>> messages, Runnable call, Duration pause) {
    threads.callLater(guarded(messages, call), pause.toMillis());
  }

  /**
   * Returns work that does not throw. Allocates everything in advance, because after an
   * OutOfMemoryError nothing can be allocated to defer the messages.
   */
  public Runnable guarded(Collection<InFlightMessage<M>> messages, Runnable work) {
    return guarded(() -> messages, work);
  }

  /** Returns work for a submission, which may not be read yet, that does not throw. */
  public Runnable guarded(ActiveSubmission<M> submission, Runnable work) {
    return guarded(submission::readOrNot, work);
  }

  private Runnable guarded(Supplier<Collection<InFlightMessage<M>>> messages, Runnable work) {
    Deferral deferral = new Deferral(messages);
    return () -> {
      try {
        work.run();
      } catch (Throwable e) { // the user's code in another language may throw any
        deferral.error = e;
        threads.untilItSucceeds(deferral);
      }
    };
  }

  /** Defers the messages of work that threw. */
  private final class Deferral implements Runnable {

    private final Supplier<Collection<InFlightMessage<M>>> messages;
    private @Nullable Throwable error;

    Deferral(Supplier<Collection<InFlightMessage<M>>> messages) {
      this.messages = messages;
    }

    @Override
    public void run() {
      Outcome.Deferred broken = broke(Objects.requireNonNull(error));
      outcomes.giveUp(messages.get(), broken);
      finishStranded(broken);
    }

    private void finishStranded(Outcome.Deferred broken) {
      messages.get().stream()
          .filter(InFlightMessage::stranded)
          .forEach(message -> outcomes.finish(message, broken));
    }
  }

  /** Repeats a step while it throws; see {@link Threads#untilItSucceeds}. */
  public void untilItSucceeds(Runnable step) {
    threads.untilItSucceeds(step);
  }

  /** Reports an unexpected exception or error; returns the outcome of its messages. */
  public Outcome.Deferred broke(Throwable error) {
    events.internalError("consumer " + consumer, error);
    return Deferrals.broken(error);
  }
}
