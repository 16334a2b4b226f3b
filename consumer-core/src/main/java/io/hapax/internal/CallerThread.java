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
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Receives messages once, and runs the user's code for them on the calling thread. */
final class CallerThread<M> {

  private static final long NEVER = Long.MAX_VALUE;

  /** An engine that fails does not wake its callers. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Submission.OutcomeSink NO_SINK = (index, outcome) -> {};

  private final Engine<M> engine;
  private final Engine.Parts<M> parts;
  private final CallerQueue queue;

  CallerThread(Engine<M> engine, Engine.Parts<M> parts) {
    this.engine = engine;
    this.parts = parts;
    this.queue = new CallerQueue(parts.env().ticker());
  }

  List<Outcome> receive(List<Incoming<M>> incoming, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes =
        receive(incoming, patience, sink, submission -> drain(submission, () -> NEVER));
    return engine.answered(outcomes);
  }

  Optional<Outcome> receive(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    LongSupplier left = new TimeLeft(handled, limit);
    AtomicReferenceArray<Outcome> outcomes =
        receive(List.of(message), patience, NO_SINK, submission -> drain(submission, left));
    return outcomes.get(0) == null
        ? Optional.empty()
        : Optional.of(engine.answered(outcomes).get(0));
  }

  private AtomicReferenceArray<Outcome> receive(
      List<Incoming<M>> incoming,
      Duration patience,
      Submission.OutcomeSink sink,
      Consumer<ActiveSubmission<M>> drain)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!parts.calls().enter(queue)) {
      throw new IllegalStateException("receiveOnCallerThread of receiver '"
          + engine.given().scope()
          + "' was called by code that it runs for another message: its messages might wait for"
          + " that one");
    }
    AtomicReferenceArray<Outcome> outcomes;
    try {
      outcomes = run(List.copyOf(incoming), patience, sink, drain);
    } finally {
      parts.calls().leave();
    }
    if (queue.interrupted()) {
      throw new InterruptedException();
    }
    return outcomes;
  }

  private AtomicReferenceArray<Outcome> run(
      List<Incoming<M>> messages,
      Duration patience,
      Submission.OutcomeSink sink,
      Consumer<ActiveSubmission<M>> drain) {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    ActiveSubmission<M> submission = new ActiveSubmission<>(
        parts.reactions(),
        (index, outcome) -> {
          outcomes.set(index, outcome);
          sink.accept(index, outcome);
        },
        messages,
        parts.env().ticker(),
        Optional.empty(),
        Optional.of(queue));
    Runnable cancel = parts.env().threads().alarm(submission::giveUp, patience);
    try {
      engine.take(submission);
      drain.accept(submission);
    } finally {
      cancel.run();
    }
    return outcomes;
  }

  /**
   * Runs what the messages need until each has its outcome, or no time is left. After an interrupt
   * none starts.
   */
  private void drain(ActiveSubmission<M> submission, LongSupplier nanosLeft) {
    boolean givenUp = false;
    while (!submission.over()) {
      engine.requireRunning();
      queue.takeInterrupt();
      if (queue.interrupted() && !givenUp) {
        givenUp = true;
        submission.giveUp();
      }
      long left = nanosLeft.getAsLong();
      if (left <= 0) {
        return;
      }
      queue.runOrWait(Math.min(left, LONGEST_WAIT_NANOS));
    }
  }

  /** The time that is left to wait for an outcome; unlimited until the handler has ended. */
  private final class TimeLeft implements LongSupplier {

    private final BooleanSupplier handled;
    private final long limitNanos;
    private boolean counting;
    private long begin;

    TimeLeft(BooleanSupplier handled, Duration limit) {
      this.handled = handled;
      this.limitNanos = NANOSECONDS.convert(limit);
    }

    @Override
    public long getAsLong() {
      if (!handled.getAsBoolean()) {
        return NEVER;
      }
      long now = parts.env().nanos();
      if (!counting) {
        counting = true;
        begin = now;
      }
      return limitNanos - (now - begin);
    }
  }
}
