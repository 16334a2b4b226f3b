package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs work for messages on a receiver's threads. If the work throws an unexpected exception, its
 * messages are deferred and the broker delivers them again. The claim of a message that was started
 * is not released, because its handler may have run; it ends with its lease.
 */
public final class Tasks<M> {

  private final String consumer;
  private final Environment env;
  private final Outcomes<M> outcomes;
  private final Events events;

  public Tasks(String consumer, Environment env, Outcomes<M> outcomes, Events events) {
    this.consumer = consumer;
    this.env = env;
    this.outcomes = outcomes;
    this.events = events;
  }

  /**
   * Runs work that reads a submission, which calls the user's code, and does not throw: on its own
   * thread if that waits to run such code. Those of open lanes, whose order counts, are read on
   * this thread, and any other one delays no other.
   */
  public void read(ActiveSubmission<M> submission, Runnable work) {
    Executor reader = submission.position().isPresent() ? Runnable::run : env.callers();
    env.execute(submission.executor(0, reader), work);
  }

  /**
   * Runs work for messages of one submission, which may call the user's code: on a worker, or on
   * the thread that submitted them to run it itself.
   */
  public void work(List<InFlightMessage<M>> messages, Runnable work) {
    queue(messages.get(0), guarded(messages, work));
  }

  /** Runs work for messages of one submission as {@link #work} does, after a pause. */
  public void workLater(List<InFlightMessage<M>> messages, Runnable work, Duration pause) {
    env.callLater(() -> work(messages, work), pause);
  }

  /** Queues work, which does not throw, where the user's code runs for a message. */
  public void queue(InFlightMessage<M> message, Runnable guarded) {
    env.execute(message.submission.executor(message.index, env.workers()), guarded);
  }

  /** Runs work on a thread that does not belong to the receiver. Does not throw. */
  public void runHere(Collection<InFlightMessage<M>> messages, Runnable work) {
    env.run(guarded(messages, work));
  }

  public void callLater(Collection<InFlightMessage<M>> messages, Runnable call, Duration pause) {
    env.callLater(guarded(messages, call), pause);
  }

  /** Returns work that throws nothing but an error of the receiver. */
  public Runnable guarded(Collection<InFlightMessage<M>> messages, Runnable work) {
    return guarded(() -> messages, work);
  }

  /** Returns such work for a submission, which may not be read yet. */
  public Runnable guarded(ActiveSubmission<M> submission, Runnable work) {
    return guarded(submission::readOrNot, work);
  }

  private Runnable guarded(Supplier<Collection<InFlightMessage<M>>> messages, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Error e) {
        throw e;
      } catch (Throwable e) { // the user's code in another language may throw any
        defer(messages.get(), broke(e));
      }
    };
  }

  private void defer(Collection<InFlightMessage<M>> messages, Outcome.Deferred broken) {
    outcomes.giveUp(messages, broken);
    messages.stream()
        .filter(InFlightMessage::stranded)
        .forEach(message -> outcomes.finish(message, broken));
  }

  /** Reports an unexpected exception; returns the outcome of its messages. */
  public Outcome.Deferred broke(Throwable error) {
    events.internalError("consumer " + consumer, error);
    return Deferrals.broken(error);
  }
}
