package io.hapax.generation;

import io.hapax.IdempotentReceiver;
import io.hapax.internal.store.GenerationLedger;
import io.hapax.mark.ConsumerScope;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;

/**
 * Reads and moves a consumer's generation, with which all messages can be run again on purpose. The
 * scope of a mark is the consumer's name and generation. So a consumer whose generation was moved
 * sees no earlier mark, and each message that the broker delivers again runs again. Marks of
 * earlier generations stay until their retention ends, and are not used.
 *
 * <p>The generation is in the store, not in the settings of an instance, so that a rolling
 * deployment cannot run everything twice. Each receiver reads it before its first claim and keeps
 * it. A receiver that sees it move stops and says so in its {@link IdempotentReceiver#problems()},
 * until it is built anew. So stop all instances, move it, reset the broker's position, start them.
 *
 * <p>It is stored as marks in a scope of its own, one for each move. They have no retention, no
 * purge removes them and no list of a consumer shows them. They are as durable as other marks of
 * that store. Safe for use by many threads and processes.
 */
public final class Generations {

  private Generations() {}

  /**
   * {@return a consumer's generation: how often it was moved; 0 if never} Costs one round trip, and
   * one more for every four moves.
   *
   * @param store the store
   * @param consumer the consumer's name
   * @throws IllegalArgumentException if the name is not valid
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public static int current(MarkAdmin store, String consumer) {
    return GenerationLedger.current(store, consumer);
  }

  /**
   * {@return the present scope of the consumer's marks, name and generation as one text, for
   * {@link io.hapax.store.MarkQuery} and {@link io.hapax.mark.MessageKey}}
   *
   * @param store the store
   * @param consumer the consumer's name
   * @throws IllegalArgumentException if the name is not valid
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public static String scope(MarkAdmin store, String consumer) {
    return new ConsumerScope(consumer, current(store, consumer)).joined();
  }

  /**
   * Moves a consumer's generation on by one, if it is the expected one and no receiver of the
   * consumer holds a lease. If several callers expect the same generation, one of them moves it.
   *
   * <p>A receiver that is idle, or works in transactional mode, holds no lease and does not prevent
   * the move. It notices within twenty seconds that the generation moved, and stops. Until then it
   * works under the old generation.
   *
   * <p>Costs a few round trips; one of them is {@link MarkAdmin#list}, which may be slow on a
   * database. After a crash the generation is moved or not moved.
   *
   * @param store the store
   * @param consumer the consumer's name
   * @param expected the generation that the caller has seen
   * @return the result
   * @throws IllegalArgumentException if the name is not valid, or too long to have a generation
   * @throws io.hapax.store.StoreException if the store did not answer; read {@link #current} to see
   *     whether the generation was moved. A command that comes over a minute late moves nothing
   */
  public static GenerationMove advance(DedupStore store, String consumer, int expected) {
    return GenerationLedger.advance(store, consumer, expected);
  }
}
