package io.hapax.store;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads marks, and changes them for operators. Tools use it, and what counts marks or reads the
 * generation of a consumer. No message depends on it: only a claim decides whether a handler may
 * run. Every {@link DedupStore} is one.
 */
public interface MarkAdmin extends AutoCloseable {

  /**
   * Looks marks up.
   *
   * @param keys the keys, distinct
   * @return the mark of each key; empty if there is none
   * @throws StoreException if the store did not answer
   */
  List<Optional<Mark>> find(List<MessageKey> keys);

  /**
   * Lists open and dead marks, a page at a time.
   *
   * @param query the kind of marks and the page
   * @return at most one page of marks, in the store's order
   * @throws StoreException if the store did not answer
   */
  List<Mark> list(MarkQuery query);

  /**
   * {@return the time by which the store judges the mark of a key} Each server of a store has its
   * own clock. Changes nothing.
   *
   * @param key a message; it may have no mark
   * @throws StoreException if the store did not answer
   */
  Instant now(MessageKey key);

  /**
   * Resolves a mark for an operator. The store compares token and state in the same step as it
   * changes the mark. So of several callers with the same token at most one changes the mark. And a
   * settlement that arrived after the operator read the mark, which keeps the token, stays. A mark
   * whose lease is alive is changed only if the resolution is forced.
   *
   * @param key the message
   * @param expectedToken the token that the operator saw; a mark with another token is not changed
   * @param expectedState the state that the operator saw; a mark in another state is not changed
   * @param resolution the resolution; {@link Resolution} says which of them repeat an effect and
   *     which acknowledge a message that never ran
   * @return whether the mark was changed; also false if the resolution has no effect on it. A
   *     client that loses the reply may send the call again: then the result may be false although
   *     the first one has changed the mark. Read the mark to know
   * @throws StoreException if the store did not answer
   */
  boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution);

  /**
   * Removes DONE marks whose retention has ended. A store may also remove open and dead marks after
   * a longer time. Many nodes may do so at the same time.
   *
   * @param limit the maximum number of marks; positive
   * @return the number of marks that were removed
   * @throws StoreException if the store did not answer
   */
  int purge(int limit);

  /**
   * {@return a sentence, for people, for each setting of the store's servers with which a crash or
   * a full server may lose marks; empty if they keep all that they can} May cost a round trip.
   *
   * @throws StoreException if the store did not answer
   */
  default List<String> warnings() {
    return List.of();
  }

  /** Closes what the store opened itself. What it was given (data source, client) stays open. */
  @Override
  void close();
}
