package io.hapax.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Lets one suspect at a time be claimed and run, so that a process that dies points at the message
 * that killed it.
 */
final class SoloGate {

  private final List<Runnable> waiting = new ArrayList<>();
  private boolean taken;

  /** True if the gate is the caller's now; otherwise the action is run when it may try again. */
  synchronized boolean enter(Runnable whenFree) {
    if (taken) {
      waiting.add(whenFree);
      return false;
    }
    taken = true;
    return true;
  }

  void leave() {
    List<Runnable> next;
    synchronized (this) {
      taken = false;
      next = List.copyOf(waiting);
      waiting.clear();
    }
    next.forEach(Runnable::run); // all of them: one may have been given up meanwhile
  }
}
