package io.hapax.internal;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.runtime.CallerQueue;
import io.hapax.internal.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Receives messages once, and runs the user's code for them on the calling thread. */
final class CallerThread<M> {

  private final Engine<M> engine;
  private final Engine.Parts<M> parts;
  private final CallerQueue queue;

  CallerThread(Engine<M> engine, Engine.Parts<M> parts) {
    this.engine = engine;
    this.parts = parts;
    this.queue = new CallerQueue(parts.env().ticker());
  }

  /** Receives them; see {@link io.hapax.IdempotentReceiver#receiveOnCallerThread}. */
  List<Outcome> receive(List<Incoming<M>> incoming, Duration patience) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!parts.calls().enter(queue)) {
      throw new IllegalStateException("receiveOnCallerThread of receiver '"
          + engine.settings().scope()
          + "' was called by code that it runs for another message: its messages might wait for"
          + " that one");
    }
    List<Outcome> outcomes;
    try {
      outcomes = run(List.copyOf(incoming), patience);
    } finally {
      parts.calls().leave();
    }
    if (queue.interrupted()) {
      throw new InterruptedException();
    }
    return outcomes;
  }

  private List<Outcome> run(List<Incoming<M>> messages, Duration patience) {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    ActiveSubmission<M> submission = new ActiveSubmission<>(
        parts.outcomes(),
        outcomes::set,
        messages.size(),
        parts.env().ticker(),
        Optional.empty(),
        Optional.of(queue));
    Threads threads = parts.env().threads();
    Runnable giveUp = submission::giveUp;
    Runnable cancel = threads.alarm(() -> threads.untilItSucceeds(giveUp), patience);
    try {
      engine.startHere(submission, messages);
      drain(submission, giveUp);
    } finally {
      cancel.run();
    }
    return BlockingReceive.list(outcomes);
  }

  /** Runs what the messages need until each has its outcome. After an interrupt none starts. */
  private void drain(ActiveSubmission<M> submission, Runnable giveUp) {
    boolean givenUp = false;
    while (!submission.over()) {
      queue.takeInterrupt();
      if (queue.interrupted() && !givenUp) {
        givenUp = true;
        parts.env().threads().untilItSucceeds(giveUp);
      }
      queue.runOrWait();
    }
  }
}
