package io.hapax.internal.store;

import io.hapax.internal.runtime.Environment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at something that lies in the store, one look at a time: who asks for one while another is
 * under way has a further one follow it. One that hangs is noticed by a timer.
 */
final class SingleFlightPoller {

  private static final int NONE = 0;

  /** What is looked at. */
  interface Subject {

    /** Whether it is worth a look. */
    boolean wanted();

    /**
     * Asks the store. Does not throw.
     *
     * @return what to make of the answer, once the look is over
     */
    Runnable ask(long sentNanos);

    /** A look has ended; true if another is to follow it at once. */
    boolean another();

    /** A look that was sent then is under way still. It does not end as long as this runs. */
    void waiting(long sentNanos);
  }

  private final Environment env;
  private final Subject subject;
  private final long glanceMillis;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean again = new AtomicBoolean();
  private volatile boolean looked;
  private volatile long latest;
  private int looks;
  private int underWay = NONE;

  /** Looks when asked to, and glances that often at a look that is under way. */
  SingleFlightPoller(Environment env, Subject subject, long glanceMillis) {
    this.env = env;
    this.subject = subject;
    this.glanceMillis = glanceMillis;
  }

  /** Whether a look that began after that moment has ended, whatever it saw. */
  boolean since(long nanos) {
    return looked && latest - nanos >= 0;
  }

  /** Looks now, on this thread, or has whoever looks do it once more. */
  void now() {
    again.set(true);
    while (again.get() && subject.wanted() && looking.compareAndSet(false, true)) {
      try {
        again.set(false);
        look(begun());
      } finally {
        looking.set(false);
      }
    }
  }

  private void look(int number) {
    long sent = env.nanos();
    glanceLater(number, sent);
    Runnable answer = subject.ask(sent);
    ended(); // only then is anything made of it: nobody says any more that it hangs
    answer.run();
    latest = sent;
    looked = true;
    if (subject.another()) {
      again.set(true);
    }
  }

  private synchronized int begun() {
    underWay = ++looks;
    return underWay;
  }

  private synchronized void ended() {
    underWay = NONE;
  }

  private void glanceLater(int number, long sent) {
    Runnable glance = () -> {
      if (hangs(number, sent)) {
        glanceLater(number, sent);
      }
    };
    env.threads().callLater(glance, glanceMillis);
  }

  private synchronized boolean hangs(int number, long sent) {
    boolean hangs = underWay == number;
    if (hangs) {
      subject.waiting(sent);
    }
    return hangs;
  }
}
