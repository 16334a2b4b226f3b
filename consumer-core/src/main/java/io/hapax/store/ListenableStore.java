package io.hapax.store;

/** A store that notifies listeners of its calls. */
public interface ListenableStore {

  /**
   * Adds a listener. It is notified of calls that begin after this method returned.
   *
   * @param listener the listener; the same one may be added more than once
   * @return the registration, which removes the listener when it is closed
   */
  Registration listen(StoreListener listener);

  /** The registration of a listener. */
  @FunctionalInterface
  interface Registration extends AutoCloseable {

    /** Removes the listener. A second call has no effect. */
    @Override
    void close();
  }
}
