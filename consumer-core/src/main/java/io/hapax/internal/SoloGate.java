package io.hapax.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets one suspect at a time be claimed and run, so that a process that dies points at the message
 * that killed it.
 */
final class SoloGate {

  private final List<Runnable> waiting = new ArrayList<>();
  private @Nullable Object holder;

  /** True if the gate is the suspect's now; otherwise the action is run when it may try again. */
  synchronized boolean enter(Object suspect, Runnable whenFree) {
    if (holder != null && holder != suspect) {
      waiting.add(whenFree);
      return false;
    }
    holder = suspect;
    return true;
  }

  /** Frees the gate if the suspect is in it. */
  void leave(Object suspect) {
    List<Runnable> next;
    synchronized (this) {
      if (holder != suspect) {
        return;
      }
      holder = null;
      next = List.copyOf(waiting);
      waiting.clear();
    }
    next.forEach(Runnable::run); // all of them: one may have been given up meanwhile
  }
}
