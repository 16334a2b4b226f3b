package io.hapax.testkit;

import io.hapax.store.DedupStore;
import java.time.Duration;

/**
 * A store under test, and the two things that a test needs beyond the store itself: to move its
 * clock, and to be a second process. Marks of earlier tests may still be there; every test works in
 * a scope of its own.
 */
public interface StoreFixture extends AutoCloseable {

  /**
   * The store.
   *
   * @return always the same store
   */
  DedupStore store();

  /**
   * The same marks as another process sees them: a store that shares nothing with {@link #store()}
   * but the data, and the clock that is moved.
   *
   * @return always the same store
   */
  DedupStore other();

  /**
   * Moves the clock that both stores judge by, without waiting, and leaves that of this JVM alone.
   *
   * @param by how far; negative only before there are marks
   */
  void advance(Duration by);

  /**
   * How long the stores keep DONE marks.
   *
   * @return the retention; at least a day, so that only a test about retention reaches its end
   */
  Duration retention();

  /** Closes both stores and whatever was opened for them. */
  @Override
  void close();
}
