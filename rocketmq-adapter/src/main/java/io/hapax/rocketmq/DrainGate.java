package io.hapax.rocketmq;

import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Admits calls of the listener until the drain begins, and knows their submissions. A call that
 * arrives during the drain waits, and is then refused. If it were answered at once, the client
 * would send its messages back, and the originals would be redelivered, too.
 */
final class DrainGate {

  private enum State {
    OPEN,
    DRAINING,
    SHUT
  }

  private final Set<Submission> submissions = new HashSet<>();
  private State state = State.OPEN;
  private int entered;

  /** Returns whether the caller may continue; it must then call {@link #leave}. */
  synchronized boolean enter() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the client shuts down");
    }
    while (state == State.DRAINING) {
      wait();
    }
    if (state == State.SHUT) {
      return false;
    }
    entered++;
    return true;
  }

  synchronized void leave() {
    entered--;
    notifyAll();
  }

  /** Remembers a submission in flight; one that arrives too late is abandoned at once. */
  synchronized void add(Submission submission) {
    submissions.add(submission);
    if (state != State.OPEN) {
      submission.abandon();
    }
  }

  synchronized void remove(Submission submission) {
    submissions.remove(submission);
  }

  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /**
   * Gives up messages that have not started, waits for running calls, and then refuses all calls.
   * Returns whether all calls have left within that time.
   */
  synchronized boolean drain(Duration atMost) {
    long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
    try {
      if (state == State.OPEN) {
        state = State.DRAINING;
        submissions.forEach(Submission::abandon);
      }
      while (entered > 0 && end - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      state = State.SHUT;
      notifyAll();
    }
    return entered == 0;
  }
}
