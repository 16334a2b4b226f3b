package io.hapax.store;

/**
 * Is told what a store does and what it finds out about its server, for metrics. Called on the
 * thread that called the store, which waits for it: it must be quick. What it throws is logged and
 * otherwise ignored.
 */
public interface StoreListener {

  /**
   * A verb was called and has ended. An empty list of arguments is no call.
   *
   * @param call what was asked, and how it went
   */
  default void onCall(StoreCall call) {}

  /**
   * A part of the store has lost its data since it was seen last: it was emptied, restored from an
   * older state, or replaced by a copy that had not got everything. Messages that were done there
   * may run once more; a mark that is open is written anew when its owner settles it.
   *
   * @param part which part, in the store's own words
   */
  default void onDataLost(String part) {}

  /**
   * Open or dead marks were removed because nobody had touched them for the time that the store
   * keeps such marks. A message of theirs that comes again runs as if it were new.
   *
   * @param marks how many; positive
   */
  default void onForgotten(int marks) {}
}
