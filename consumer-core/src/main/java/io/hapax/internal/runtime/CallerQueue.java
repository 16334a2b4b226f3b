package io.hapax.internal.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Queues the user's code of one submission for the thread that created the queue. Code for a
 * message that was submitted earlier runs earlier.
 */
public final class CallerQueue {

  private record Task(int place, long number, Runnable work) {}

  private final Thread thread = Thread.currentThread();
  private final Ticker ticker;
  private final Queue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingInt(Task::place).thenComparingLong(Task::number));
  private long added;
  private int held;
  private volatile boolean interrupted;

  public CallerQueue(Ticker ticker) {
    this.ticker = ticker;
  }

  public Executor at(int place) {
    return work -> add(place, work);
  }

  private void add(int place, Runnable work) {
    synchronized (this) {
      tasks.add(new Task(place, added, work));
      added++;
    }
    wake();
  }

  public void addTogether(Runnable adding) {
    hold(1);
    try {
      adding.run();
    } finally {
      hold(-1);
      wake();
    }
  }

  private synchronized void hold(int more) {
    held += more;
  }

  /** Lets the thread look again whether it has to wait. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /**
   * Runs the next task, or waits for one at most for a number of nanoseconds. Only the thread of
   * the queue may call it.
   */
  public void runOrWait(long nanos) {
    Runnable next = next();
    if (next == null) {
      ticker.park(nanos);
    } else {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Task next = held > 0 ? null : tasks.poll();
    return next == null ? null : next.work();
  }

  /** Clears the thread's interrupt flag, and remembers it. */
  public void takeInterrupt() {
    if (Thread.interrupted()) {
      interrupted = true;
    }
  }

  /** Records that another part of the process has interrupted the thread. */
  public void recordInterrupt() {
    interrupted = true;
  }

  public boolean interrupted() {
    return interrupted;
  }
}
