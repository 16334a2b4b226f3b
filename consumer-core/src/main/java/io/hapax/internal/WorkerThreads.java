package io.hapax.internal;

import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.FailStop;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the threads of the user's factory. A factory that fails is a problem until it works. */
final class WorkerThreads implements ThreadFactory {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerThreads.class);

  private static final String SETTING = "workerThreads";

  private final ThreadFactory factory;
  private final Events events;
  private boolean failing;
  private boolean works;

  WorkerThreads(ThreadFactory factory, Events events) {
    this.factory = factory;
    this.events = events;
  }

  /** Returns null if the factory fails after it has worked: the other workers take the task. */
  @Override
  public @Nullable Thread newThread(Runnable task) {
    Thread thread;
    try {
      thread = checked(task);
    } catch (RuntimeException e) {
      if (failed(e)) {
        return null;
      }
      throw e;
    }
    made();
    return thread;
  }

  private Thread checked(Runnable task) {
    @Nullable Thread thread;
    try {
      thread = factory.newThread(task);
    } catch (Throwable e) { // one in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      throw new IllegalArgumentException(
          SETTING + " threw " + Descriptions.of(e) + " but must return a new thread", e);
    }
    if (thread == null || thread.getState() != Thread.State.NEW) {
      throw new IllegalArgumentException(SETTING + " returned "
          + (thread == null ? "null" : "a thread that was started")
          + " but must return a new thread");
    }
    return thread;
  }

  /** Reports a failure; returns whether the factory has worked before. */
  private synchronized boolean failed(Throwable error) {
    String text = Descriptions.of(error);
    if (!failing) {
      LOG.error("No further worker can be created: {}", text, Descriptions.loggable(error));
    }
    failing = true;
    events.raise(Kind.CONFIGURATION, SETTING, "", text);
    return works;
  }

  private synchronized void made() {
    works = true;
    if (failing) {
      failing = false;
      events.clear(Kind.CONFIGURATION, SETTING);
    }
  }
}
