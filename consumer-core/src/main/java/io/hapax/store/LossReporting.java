package io.hapax.store;

import java.util.function.Consumer;

/**
 * What a store offers that can notice that it has lost marks: emptied by somebody, restarted from
 * an older state, replaced by a copy that had not got everything. Whoever subscribed can then
 * explain a message that runs once more. A receiver subscribes while it is open.
 */
public interface LossReporting {

  /** Ends the telling. */
  interface Subscription extends AutoCloseable {

    /**
     * Nothing is told any more, but for what is being told at this moment. Closing twice is fine.
     */
    @Override
    void close();
  }

  /**
   * Has the listener told of each loss from now on, once. It is called on the threads that use the
   * store, which wait for it: it must be quick and must not throw.
   *
   * @param listener is told
   * @return to end it
   */
  Subscription subscribe(Consumer<StoreLoss> listener);
}
