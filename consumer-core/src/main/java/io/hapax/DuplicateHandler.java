package io.hapax;

import io.hapax.mark.Bytes;

/**
 * Handles duplicates, for example to send the first answer again to a client that missed it.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface DuplicateHandler<M> {

  /**
   * Handles a duplicate. Called where handlers run, before the duplicate may be acknowledged,
   * without regard to the order of its lane. After a crash it is called again with the same result.
   *
   * @param message the duplicate
   * @param result what the handler or a probe returned for the first message; may be empty
   * @throws Exception if the duplicate could not be handled; it is then deferred
   */
  void onDuplicate(M message, Bytes result) throws Exception;
}
