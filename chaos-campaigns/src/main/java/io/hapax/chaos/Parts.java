package io.hapax.chaos;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes the parts of the live demo, the newest first. */
final class Parts implements AutoCloseable {

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <P extends AutoCloseable> P add(P part) {
    parts.push(part);
    return part;
  }

  @Override
  public void close() throws Exception {
    try (AutoCloseable oldest = parts.pollLast()) {
      if (!parts.isEmpty()) {
        close();
      }
    }
  }
}
