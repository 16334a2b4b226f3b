package io.hapax.store;

/** A store that tells what it does. */
public interface ListenableStore {

  /**
   * Adds a listener. It is told of calls that begin after this returned.
   *
   * @param listener who is told; the same one may be added more than once
   * @return what ends it
   */
  Registration listen(StoreListener listener);

  /** That a listener is told. */
  @FunctionalInterface
  interface Registration extends AutoCloseable {

    /** Tells the listener nothing more. Again has no effect. */
    @Override
    void close();
  }
}
