package io.hapax;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Fills the heap to the last byte, keeps it full for a moment, and lets go of it. */
final class FullHeap implements Runnable {

  private static final int LARGEST = 1 << 18;
  private static final int SMALLEST = 1;
  private static final long KEPT_NANOS = Duration.ofMillis(40).toNanos();

  private final AtomicInteger times = new AtomicInteger();

  /** How often the heap was full. */
  int times() {
    return times.get();
  }

  /** Starts to fill it on a thread of its own, which ends once the memory is free again. */
  Thread fill() {
    Thread filler = new Thread(this, "filler");
    filler.start();
    return filler;
  }

  /** Needs nothing but the memory that it takes, and takes what others let go of meanwhile. */
  @Override
  public void run() {
    Object[] kept = new Object[SMALLEST];
    int size = LARGEST;
    long end = System.nanoTime() + Long.MAX_VALUE / 2; // also links the call, while there is memory
    try {
      while (size > SMALLEST || System.nanoTime() - end < 0) {
        try {
          Object[] next = new Object[size];
          next[0] = kept;
          kept = next;
        } catch (OutOfMemoryError e) {
          if (size == SMALLEST) {
            continue;
          }
          size >>= 2; // 1 in the end
          if (size == SMALLEST) {
            times.incrementAndGet();
            end = System.nanoTime() + KEPT_NANOS;
          }
        }
      }
    } finally {
      Reference.reachabilityFence(kept);
    }
  }
}
