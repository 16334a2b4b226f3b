package io.hapax.internal.claim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which suspects are claimed and run at the same time. Suspects after a first loss run
 * together, up to a limit. A suspect that has to run alone runs while no other suspect is inside:
 * if its process dies then, this suspect is the probable cause.
 */
final class SuspectGate {

  private final int limit;

  private final Set<Object> together = new HashSet<>();

  private @Nullable Object alone;

  /** The waiting suspects that may run together, in the order of arrival, and their actions. */
  private final Map<Object, Runnable> waitingTogether = new LinkedHashMap<>();

  private final Map<Object, Runnable> waitingAlone = new LinkedHashMap<>();

  SuspectGate(int limit) {
    this.limit = limit;
  }

  /**
   * Admits a suspect, or lets it wait. A suspect that is inside stays there; if it has to be alone
   * from now on, it leaves and enters again.
   *
   * @param whenInside runs once if the suspect has to wait, when it is inside or has left
   * @return whether it is inside
   */
  boolean enter(Object suspect, boolean asOnlyOne, Runnable whenInside) {
    if (asOnlyOne && isTogether(suspect)) {
      leave(suspect);
    }
    return enterOrWait(suspect, asOnlyOne, whenInside);
  }

  private synchronized boolean isTogether(Object suspect) {
    return together.contains(suspect);
  }

  private synchronized boolean enterOrWait(Object suspect, boolean asOnlyOne, Runnable whenInside) {
    if (alone == suspect || together.contains(suspect)) {
      return true;
    }
    if (asOnlyOne ? isEmpty() : isOpen()) {
      admit(suspect, asOnlyOne);
      return true;
    }
    (asOnlyOne ? waitingAlone : waitingTogether).put(suspect, whenInside);
    return false;
  }

  /**
   * Removes a suspect, inside or waiting, and admits the next ones; returns whether it was inside.
   */
  boolean leave(Object suspect) {
    List<Runnable> woken = new ArrayList<>();
    boolean wasInside = leave(suspect, woken);
    woken.forEach(Runnable::run);
    return wasInside;
  }

  private synchronized boolean leave(Object suspect, List<Runnable> woken) {
    for (Map<Object, Runnable> waiting : List.of(waitingTogether, waitingAlone)) {
      Runnable gone = waiting.remove(suspect);
      if (gone != null) {
        woken.add(gone);
      }
    }
    boolean wasInside = together.remove(suspect) || alone == suspect;
    alone = alone == suspect ? null : alone;
    while (isOpen() && !waitingTogether.isEmpty()) {
      woken.add(admitFirst(waitingTogether, false));
    }
    if (isEmpty() && !waitingAlone.isEmpty()) {
      woken.add(admitFirst(waitingAlone, true));
    }
    return wasInside;
  }

  private Runnable admitFirst(Map<Object, Runnable> waiting, boolean asOnlyOne) {
    Object first = waiting.keySet().iterator().next();
    admit(first, asOnlyOne);
    return Objects.requireNonNull(waiting.remove(first));
  }

  private void admit(Object suspect, boolean asOnlyOne) {
    if (asOnlyOne) {
      alone = suspect;
    } else {
      together.add(suspect);
    }
  }

  private boolean isOpen() {
    return alone == null && together.size() < limit;
  }

  private boolean isEmpty() {
    return alone == null && together.isEmpty();
  }
}
