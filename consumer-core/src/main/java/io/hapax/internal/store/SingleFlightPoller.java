package io.hapax.internal.store;

import io.hapax.internal.runtime.Environment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Polls the store for one subject, with one poll in flight at a time. A request during a poll
 * starts another poll after it. A timer reports a poll that hangs.
 */
final class SingleFlightPoller {

  private static final int NONE = 0;

  private final Environment env;
  private final GenerationWatch subject;
  private final long hangCheckMillis;
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicBoolean again = new AtomicBoolean();
  private volatile boolean polled;
  private volatile long latestNanos;
  private int polls;
  private int inFlight = NONE;

  /** Reports a poll in flight as hanging at the interval. */
  SingleFlightPoller(Environment env, GenerationWatch subject, long hangCheckMillis) {
    this.env = env;
    this.subject = subject;
    this.hangCheckMillis = hangCheckMillis;
  }

  /** Returns whether a poll that began after this time has ended, whatever its result. */
  boolean polledSince(long nanos) {
    return polled && latestNanos - nanos >= 0;
  }

  /** Polls on this thread; if another thread polls, requests another poll from that thread. */
  void poll() {
    again.set(true);
    while (again.get() && subject.wanted() && polling.compareAndSet(false, true)) {
      again.set(false);
      pollOnce(begin());
      polling.set(false);
    }
  }

  private void pollOnce(int number) {
    long sent = env.nanos();
    checkLater(number, sent);
    Runnable answer = subject.send(sent);
    end(); // before the answer is processed, so that the poll is not reported as hanging any more
    answer.run();
    latestNanos = sent;
    polled = true;
  }

  private synchronized int begin() {
    inFlight = ++polls;
    return inFlight;
  }

  private synchronized void end() {
    inFlight = NONE;
  }

  private void checkLater(int number, long sent) {
    Runnable check = () -> {
      if (hangs(number, sent)) {
        checkLater(number, sent);
      }
    };
    env.threads().callLater(check, hangCheckMillis);
  }

  private synchronized boolean hangs(int number, long sent) {
    boolean hangs = inFlight == number;
    if (hangs) {
      subject.hanging(sent);
    }
    return hangs;
  }
}
