package io.hapax.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.runtime.CallerQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;

/** Receives messages once, and runs the user's code for them on the calling thread. */
final class CallerThread<M> {

  /** An engine that fails does not wake its callers. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private final Engine<M> engine;
  private final Engine.Parts<M> parts;
  private final CallerQueue queue;

  CallerThread(Engine<M> engine) {
    this.engine = engine;
    this.parts = engine.parts();
    this.queue = new CallerQueue(parts.env().ticker());
  }

  List<Outcome> receive(List<Incoming<M>> incoming, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException {
    return engine.answered(receive(incoming, patience, sink, () -> false, Duration.ZERO));
  }

  Optional<Outcome> receive(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes =
        receive(List.of(message), patience, (index, outcome) -> {}, handled, limit);
    return outcomes.get(0) == null
        ? Optional.empty()
        : Optional.of(engine.answered(outcomes).get(0));
  }

  private AtomicReferenceArray<Outcome> receive(
      List<Incoming<M>> incoming,
      Duration patience,
      Submission.OutcomeSink sink,
      BooleanSupplier handled,
      Duration limit)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(incoming.size());
    if (!parts.calls().enter(queue)) {
      throw new IllegalStateException("receiveOnCallerThread of receiver '"
          + engine.given().scope()
          + "' was called by code that it runs for another message: its messages might wait for"
          + " that one");
    }
    try {
      Submission.OutcomeSink both = (index, outcome) -> {
        outcomes.set(index, outcome);
        sink.accept(index, outcome);
      };
      run(
          engine.submission(incoming, both, Optional.empty(), Optional.of(queue)),
          patience,
          handled,
          limit);
    } finally {
      parts.calls().leave();
    }
    if (queue.interrupted()) {
      throw new InterruptedException();
    }
    return outcomes;
  }

  private void run(
      ActiveSubmission<M> submission, Duration patience, BooleanSupplier handled, Duration limit) {
    Runnable cancel = parts.env().alarm(submission::giveUp, patience);
    try {
      engine.take(submission);
      drain(submission, handled, NANOSECONDS.convert(limit));
    } finally {
      cancel.run();
    }
  }

  /**
   * Runs what the messages need until each has its outcome, or until the limit after the end of the
   * handler. After an interrupt none starts.
   */
  private void drain(ActiveSubmission<M> submission, BooleanSupplier handled, long limitNanos) {
    boolean givenUp = false;
    OptionalLong end = OptionalLong.empty();
    while (!submission.over()) {
      engine.requireRunning();
      queue.takeInterrupt();
      if (queue.interrupted() && !givenUp) {
        givenUp = true;
        submission.giveUp();
      }
      long left = LONGEST_WAIT_NANOS;
      if (handled.getAsBoolean()) {
        long now = parts.env().nanos();
        end = end.isPresent() ? end : OptionalLong.of(now);
        left = limitNanos - (now - end.getAsLong());
      }
      if (left <= 0) {
        return;
      }
      queue.runOrWait(Math.min(left, LONGEST_WAIT_NANOS));
    }
  }
}
