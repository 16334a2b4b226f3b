package io.hapax.internal.handler;

import io.hapax.internal.runtime.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls the user's code and interrupts it. Closing the receiver interrupts these calls only. A
 * thread returns with its interrupt flag cleared, because store calls follow. An interrupt can
 * damage some stores: H2 closes its file.
 */
public final class UserCodeCalls {

  /** The user's code. */
  @FunctionalInterface
  public interface Code {
    void run() throws Exception;
  }

  /**
   * Limits the time of a call.
   *
   * @param time the time after which the call is interrupted
   * @param onTimeout runs after the interrupt; the call does not return while it runs
   */
  public record Limit(Duration time, Runnable onTimeout) {}

  private static final class Call {
    private final Thread thread = Thread.currentThread();
    private boolean ended;

    synchronized void interrupt(Runnable afterwards) {
      if (!ended) {
        thread.interrupt();
        afterwards.run();
      }
    }

    synchronized void end() {
      ended = true;
    }
  }

  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final Threads threads;

  public UserCodeCalls(Threads threads) {
    this.threads = threads;
  }

  /** Runs the code; throws any exception or error of it as a {@link HandlerFailure}. */
  public void run(Code code) throws HandlerFailure {
    run(code, new Call());
  }

  /** Runs the code, and interrupts it when it exceeds the limit. */
  public void run(Code code, Limit limit) throws HandlerFailure {
    Call call = new Call();
    Runnable cancel = threads.alarm(() -> call.interrupt(limit.onTimeout()), limit.time());
    try {
      run(code, call);
    } finally {
      cancel.run();
    }
  }

  private void run(Code code, Call call) throws HandlerFailure {
    running.add(call);
    try {
      code.run();
    } catch (Throwable failure) {
      throw new HandlerFailure(failure);
    } finally {
      call.end();
      running.remove(call);
      var unused = Thread.interrupted();
    }
  }

  /** Returns whether the receiver is closing and has interrupted the running calls. */
  public boolean interruptedAll() {
    return threads.closed();
  }

  /** Interrupts the running calls. */
  public void interruptAll() {
    for (Call call : running) {
      call.interrupt(() -> {});
    }
  }
}
