package io.hapax.internal;

import io.hapax.internal.runtime.Threads;
import java.util.Optional;

/**
 * A process in which nothing has failed before its heap is full. Exits with 0 if a step that has no
 * memory at first is run again.
 */
public final class FirstErrorJvm {

  private static final int LARGEST = 1 << 18;

  private static final int FILLINGS = 5;
  private static final Object[] NOTHING = new Object[1];

  private static Object[] kept = NOTHING;

  private FirstErrorJvm() {}

  public static void main(String[] args) {
    Threads threads = Threads.start("first-error", 1, Optional.empty());
    int[] runs = new int[1];
    Runnable step = () -> {
      if (runs[0]++ == 0) {
        for (int i = 0; i < FILLINGS; i++) { // the JVM may find a few bytes more each time
          fill();
        }
        throw new OutOfMemoryError("Java heap space");
      }
      kept = NOTHING;
    };
    threads.untilItSucceeds(step);
    System.out.println("runs " + runs[0]);
    System.exit(runs[0] == 2 ? 0 : 1);
  }

  private static void fill() {
    int size = LARGEST;
    while (size > 0) {
      try {
        Object[] next = new Object[size];
        next[0] = kept;
        kept = next;
      } catch (OutOfMemoryError e) {
        size >>= 2;
      }
    }
  }
}
