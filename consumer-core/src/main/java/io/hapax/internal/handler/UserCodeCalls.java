package io.hapax.internal.handler;

import io.hapax.internal.runtime.CallerQueue;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the user's code and interrupts it. Closing the receiver interrupts these calls only. A
 * thread returns with its interrupt flag cleared, because store calls follow. An interrupt can
 * damage some stores: H2 closes its file. The interrupt of a thread that belongs to the user is
 * recorded in its queue.
 */
public final class UserCodeCalls {

  private static final Logger LOG = LoggerFactory.getLogger(UserCodeCalls.class);

  @FunctionalInterface
  public interface Code<R> {
    R run() throws Exception;
  }

  /**
   * Runs an action after a time, during which the call does not return, and then interrupts the
   * call. So the handler finds at its interrupt what the action has done.
   */
  public record Limit(Duration time, Runnable onTimeout) {}

  private static final class Call {
    private final Thread thread = Thread.currentThread();
    private boolean ended;
    private boolean interrupted;

    synchronized void interrupt(Runnable before) {
      if (!ended) {
        interrupted = true;
        try {
          before.run();
        } finally {
          interruptThread();
        }
      }
    }

    private void interruptThread() {
      try {
        thread.interrupt();
      } catch (Throwable e) { // a class of the user's
        LOG.warn("{} cannot be interrupted", thread, Descriptions.loggable(e));
      }
    }

    /** Ends the interrupts; returns whether there was none. */
    synchronized boolean endUninterrupted() {
      ended = true;
      return !interrupted;
    }
  }

  private final Set<Call> running = ConcurrentHashMap.newKeySet();

  /** The queues of the threads that run the user's code for their own messages. */
  private final Map<Thread, CallerQueue> callers = new ConcurrentHashMap<>();

  private final Environment env;

  public UserCodeCalls(Environment env) {
    this.env = env;
  }

  /**
   * Runs the code, unless the receiver has failed; throws any exception or error of it as a
   * {@link HandlerFailure}. Code that returns after it was interrupted has failed, too: it may have
   * caught the exception of the interrupt.
   */
  public <R> R run(Code<R> code) throws HandlerFailure {
    return run(code, Optional.empty(), false);
  }

  /**
   * Runs the code, and interrupts it when it exceeds the limit.
   *
   * @param commits whether all of its work is committed once it returns, whatever interrupted it
   */
  public <R> R run(Code<R> code, Optional<Limit> limit, boolean commits) throws HandlerFailure {
    Call call = new Call();
    Runnable cancel = limit
        .map(it -> env.alarm(() -> call.interrupt(it.onTimeout()), it.time()))
        .orElse(() -> {});
    try {
      return run(code, call, commits);
    } finally {
      cancel.run();
    }
  }

  private <R> R run(Code<R> code, Call call, boolean commits) throws HandlerFailure {
    env.failStop().requireRunning();
    running.add(call);
    boolean interrupted = false;
    boolean undisturbed = false;
    R result;
    try {
      result = code.run();
    } catch (Throwable failure) {
      interrupted = failure instanceof InterruptedException;
      throw new HandlerFailure(failure);
    } finally {
      undisturbed = call.endUninterrupted();
      running.remove(call);
      interrupted |= Thread.interrupted();
      if (interrupted && undisturbed) { // by somebody else
        recordInterrupt();
      }
    }
    if (!undisturbed && !commits) {
      throw new HandlerFailure(new InterruptedException(
          "it was interrupted and returned, so that its work may not be done"));
    }
    return result;
  }

  private void recordInterrupt() {
    CallerQueue queue = callers.get(Thread.currentThread());
    if (queue != null) {
      queue.recordInterrupt();
    }
  }

  /**
   * Registers that this thread runs the user's code for its own messages; returns false if it is
   * registered already. The queue then records interrupts that do not come from this object.
   */
  public boolean enter(CallerQueue queue) {
    return callers.putIfAbsent(Thread.currentThread(), queue) == null;
  }

  public void leave() {
    callers.remove(Thread.currentThread());
  }

  /** Returns whether an interrupt may be the cause of a failure on this thread. */
  public boolean interrupted() {
    CallerQueue queue = callers.get(Thread.currentThread());
    return env.closed() || (queue != null && queue.interrupted());
  }

  public void interruptAll() {
    for (Call call : running) {
      call.interrupt(() -> {});
    }
  }
}
