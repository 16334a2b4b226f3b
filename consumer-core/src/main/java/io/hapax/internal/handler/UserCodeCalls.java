package io.hapax.internal.handler;

import io.hapax.internal.runtime.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls into the user's code. Interrupts stay inside: closing interrupts what runs in here and
 * nothing else, and a thread leaves without its flag, because what follows are calls to a store,
 * and some of them are destroyed by an interrupt (H2 closes its file).
 */
public final class UserCodeCalls {

  /** The user's code. */
  @FunctionalInterface
  public interface Code {
    void run() throws Exception;
  }

  /**
   * How long a call may take.
   *
   * @param time after this time it is interrupted
   * @param passed run then, if it is not over yet; it is not over before this is
   */
  public record Limit(Duration time, Runnable passed) {}

  private static final class Call {
    private final Thread thread = Thread.currentThread();
    private boolean over;

    synchronized void interrupt(Runnable passed) {
      if (!over) {
        thread.interrupt();
        passed.run();
      }
    }

    synchronized void end() {
      over = true;
    }
  }

  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final Threads threads;

  public UserCodeCalls(Threads threads) {
    this.threads = threads;
  }

  /** Runs the code; whatever it throws comes out as a {@link HandlerFailure}. */
  public void run(Code code) throws HandlerFailure {
    run(code, new Call());
  }

  /** Runs the code, which is interrupted when it takes longer than it may. */
  public void run(Code code, Limit limit) throws HandlerFailure {
    Call call = new Call();
    Runnable onTime = threads.alarm(() -> call.interrupt(limit.passed()), limit.time());
    try {
      run(code, call);
    } finally {
      onTime.run();
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

  /** Returns whether the receiver closes and has interrupted what ran. */
  public boolean interruptedAll() {
    return threads.closed();
  }

  public void interruptAll() {
    for (Call call : running) {
      call.interrupt(() -> {});
    }
  }
}
