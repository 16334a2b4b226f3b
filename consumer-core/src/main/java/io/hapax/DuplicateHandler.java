package io.hapax;

import io.hapax.mark.Bytes;

/**
 * Is handed each duplicate, for example to send the first answer again to a client that did not get
 * it.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface DuplicateHandler<M> {

  /**
   * Called on a worker thread before the duplicate may be acknowledged, beside the order of its
   * lane. After a crash it is called again with the same result.
   *
   * @param message the duplicate
   * @param result what the handler, or a probe, returned for the first; empty if it returned
   *     nothing or the first was done by another kind of handler
   * @throws Exception if the duplicate could not be answered; it is then deferred, and comes again
   */
  void onDuplicate(M message, Bytes result) throws Exception;
}
