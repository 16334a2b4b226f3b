package io.hapax.store;

/**
 * Receives a store's calls and what the store detects on its server, for metrics. Called on the
 * thread that called the store, which waits for it: it must be quick. Exceptions are only logged.
 */
public interface StoreListener {

  /**
   * A verb was called and has ended. Not called for an empty list of arguments.
   *
   * @param call the call and its result
   */
  default void onCall(StoreCall call) {}

  /**
   * The store detected that its server has lost marks: it was emptied, restored from an older
   * state, or replaced by an incomplete copy, or it evicts keys. Called once for a detected loss.
   *
   * @param loss where, and how much
   */
  default void onDataLost(StoreLoss loss) {}

  /**
   * Open or dead marks were removed because they had not changed for as long as the store keeps
   * such marks. If their messages are delivered again, they run as if they were new.
   *
   * @param marks the number of marks; positive
   */
  default void onForgotten(int marks) {}
}
