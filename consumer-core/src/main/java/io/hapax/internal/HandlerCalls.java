package io.hapax.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls into the user's code. Interrupts stay inside: closing interrupts what runs in here and
 * nothing else, and a thread leaves without its flag, because what follows are calls to a store,
 * and some of them are destroyed by an interrupt (H2 closes its file).
 */
final class HandlerCalls {

  /** The user's code. */
  @FunctionalInterface
  interface Code {
    void run() throws Exception;
  }

  private static final class Call {
    private final Thread thread = Thread.currentThread();
    private boolean over;

    synchronized void interrupt() {
      if (!over) {
        thread.interrupt();
      }
    }

    synchronized void end() {
      over = true;
    }
  }

  private final Set<Call> running = ConcurrentHashMap.newKeySet();

  /** Runs the code; whatever it throws comes out as a {@link HandlerFailure}. */
  void run(Code code) throws HandlerFailure {
    Call call = new Call();
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

  void interruptAll() {
    running.forEach(Call::interrupt);
  }
}
