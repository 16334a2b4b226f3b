package io.hapax.testkit;

import io.hapax.mark.Nonce;
import io.hapax.store.DedupStore;
import java.time.Duration;

/**
 * A store under test, with a clock that can be moved and a second process. Marks of earlier tests
 * may exist; every test uses a scope of its own.
 */
public interface StoreFixture extends AutoCloseable {

  /** Returns always the same store. */
  DedupStore store();

  /**
   * Returns always the same store, which shares only the data and the moved clock with
   * {@link #store()}, like another process.
   */
  DedupStore other();

  /**
   * Moves the clock of both stores without waiting, back only before there are marks. Does not
   * change the clock of this JVM.
   */
  void advance(Duration by);

  /**
   * Returns how long the stores keep DONE marks: at least a day, so that only a test about
   * retention reaches its end.
   */
  Duration retention();

  /**
   * Returns the part of a claim's nonce that its DONE mark keeps, also when that mark is reopened:
   * all of it by default. The rest must still distinguish the claims of a message.
   */
  default Nonce keptWhenDone(Nonce nonce) {
    return nonce;
  }

  /** Closes both stores and their resources. */
  @Override
  void close();
}
