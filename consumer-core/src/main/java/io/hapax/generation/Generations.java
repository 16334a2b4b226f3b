package io.hapax.generation;

import io.hapax.IdempotentReceiver;
import io.hapax.internal.store.GenerationLedger;
import io.hapax.mark.ConsumerScope;
import io.hapax.store.DedupStore;

/**
 * A consumer's generation: how everything is run again on purpose. Marks are kept under the
 * consumer's name and its generation, so that a consumer whose generation was moved knows nothing
 * of what was done before, and whatever the broker delivers again runs again. Marks of earlier
 * generations stay until their retention is over, and are not looked at.
 *
 * <p>It lies in the store, not in the settings of an instance: a rolling deployment can not run
 * everything twice. Each receiver reads it before its first claim and stays with it; one that sees
 * it move stops and says so in its {@link IdempotentReceiver#problems()}, until it is built anew.
 * So stop all instances, move it, reset the broker's position, start them.
 *
 * <p>It is kept as marks of a scope of its own, one for each move, which no retention ends, no
 * purge removes and no list of a consumer shows; it is as safe as marks are in that store. Safe for
 * use by many threads and from many processes.
 */
public final class Generations {

  private Generations() {}

  /**
   * Reads a consumer's generation. One round trip, and one more for each four moves that there
   * were.
   *
   * @param store the store
   * @param consumer the consumer's name
   * @return how often it was moved; 0 if never
   * @throws IllegalArgumentException if it is no consumer's name
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public static int current(DedupStore store, String consumer) {
    return GenerationLedger.current(store, consumer);
  }

  /**
   * The scope that the consumer's marks are kept under now, for {@link io.hapax.store.MarkQuery}
   * and {@link io.hapax.mark.MessageKey}.
   *
   * @param store the store
   * @param consumer the consumer's name
   * @return name and generation as one text
   * @throws IllegalArgumentException if it is no consumer's name
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public static String scope(DedupStore store, String consumer) {
    return new ConsumerScope(consumer, current(store, consumer)).joined();
  }

  /**
   * Moves a consumer's generation on by one, if it is the expected one and no receiver of the
   * consumer is at work. Of many who call this at once with the same expectation one moves it.
   *
   * <p>That nobody is at work is judged by leases: a receiver that is idle, or works in
   * transactional mode, holds none and is not seen here. It notices within twenty seconds that the
   * generation moved, and stops; what it did until then it did under the old generation.
   *
   * <p>A handful of round trips, besides that {@link DedupStore#list} may take a while on a
   * database. A crash leaves the generation moved or not moved.
   *
   * @param store the store
   * @param consumer the consumer's name
   * @param expected the generation that the caller has seen
   * @return what became of it
   * @throws IllegalArgumentException if it is no consumer's name, or one that is too long for a
   *     generation
   * @throws io.hapax.store.StoreException if the store did not answer: it was moved or not, which
   *     {@link #current} says. A command that arrives more than a minute late moves nothing
   */
  public static GenerationMove advance(DedupStore store, String consumer, int expected) {
    return GenerationLedger.advance(store, consumer, expected);
  }
}
