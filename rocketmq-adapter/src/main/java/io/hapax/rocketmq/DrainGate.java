package io.hapax.rocketmq;

import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Admits calls of the listener until the drain begins, and knows their submissions. A call that
 * arrives during the drain waits until the earlier calls have left, and is then refused. If it were
 * answered at once, the client would send its messages back, and the originals would be
 * redelivered, too.
 */
final class DrainGate {

  private enum State {
    OPEN,
    DRAINING,
    SHUT
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Submission> submissions = new HashSet<>();
  private State state = State.OPEN;
  private int entered;

  /** Returns whether the caller may continue; it must then call {@link #leave}. */
  boolean enter() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (state == State.DRAINING) {
        changed.await();
      }
      if (state == State.SHUT) {
        return false;
      }
      entered++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      entered--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Remembers a submission in flight; one that arrives too late is abandoned at once. */
  void add(Submission submission) {
    lock.lock();
    try {
      submissions.add(submission);
      if (state != State.OPEN) {
        submission.abandon();
      }
    } finally {
      lock.unlock();
    }
  }

  void remove(Submission submission) {
    lock.lock();
    try {
      submissions.remove(submission);
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    lock.lock();
    try {
      return state == State.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives up messages that have not started, waits for the others, and shuts.
   *
   * @return whether all have left within that time
   */
  boolean drain(Duration atMost) {
    lock.lock();
    try {
      if (state == State.OPEN) {
        state = State.DRAINING;
        submissions.forEach(Submission::abandon);
      }
      return awaitEmpty(TimeUnit.NANOSECONDS.convert(atMost));
    } finally {
      state = State.SHUT;
      changed.signalAll();
      lock.unlock();
    }
  }

  private boolean awaitEmpty(long atMostNanos) {
    long left = atMostNanos;
    while (entered > 0 && left > 0) {
      try {
        left = changed.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return entered == 0;
  }
}
