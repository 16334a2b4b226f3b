package io.hapax.testkit;

import io.hapax.mark.Nonce;
import io.hapax.store.DedupStore;
import java.time.Duration;

/**
 * A store under test, with a clock that can be moved and a second process. Marks of earlier tests
 * may exist; every test uses a scope of its own.
 */
public interface StoreFixture extends AutoCloseable {

  /**
   * Returns the store.
   *
   * @return always the same store
   */
  DedupStore store();

  /**
   * Returns a store that shares only the data and the moved clock with {@link #store()}, like
   * another process.
   *
   * @return always the same store
   */
  DedupStore other();

  /**
   * Moves the clock of both stores without waiting; does not change the clock of this JVM.
   *
   * @param by how far; negative only before there are marks
   */
  void advance(Duration by);

  /**
   * Returns how long the stores keep DONE marks.
   *
   * @return the retention; at least a day, so that only a test about retention reaches its end
   */
  Duration retention();

  /**
   * Returns the part of a claim's nonce that its DONE mark keeps: all of it by default. The rest
   * must still distinguish the claims of a message.
   *
   * @param nonce the nonce of the claim and its settlement
   * @return the nonce of the mark that is found, also of a reopened DONE mark
   */
  default Nonce keptWhenDone(Nonce nonce) {
    return nonce;
  }

  /** Closes both stores and their resources. */
  @Override
  void close();
}
