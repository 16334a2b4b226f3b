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
   * The store found out that it has lost marks since it was seen last: it was emptied, restored
   * from an older state, or replaced by a copy that had not got everything. Told once for each
   * loss, by stores that can find out.
   *
   * @param loss where, and how much
   */
  default void onDataLost(StoreLoss loss) {}

  /**
   * Open or dead marks were removed because nobody had touched them for the time that the store
   * keeps such marks. A message of theirs that comes again runs as if it were new.
   *
   * @param marks how many; positive
   */
  default void onForgotten(int marks) {}
}
