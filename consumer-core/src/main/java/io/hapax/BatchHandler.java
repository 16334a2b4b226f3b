package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import java.util.List;

/**
 * The user's work for several messages at once in leased mode, so that its own calls can be batched
 * too.
 *
 * <p>It is handed what stands together in one lane (for Kafka a partition) and is acquired: at most
 * what the adapter took from that lane, for Kafka a poll's records of one partition. Messages that
 * failed before, and those taken over from a vanished owner, come alone, so that a poisonous one is
 * found.
 *
 * <p>Returning normally says that the effects of all of them have happened; each is then marked
 * DONE and, after that, may be acknowledged. If it throws, all of them have failed and each has
 * used up an attempt, except that a {@link PartlyHandledException} says which have not failed. A
 * crash leaves the effects of all of them in doubt. Called on a worker thread, for one lane one
 * call after the other.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface BatchHandler<M> {

  /**
   * Handles messages, in the order given.
   *
   * @param deliveries the messages that may run, of one lane; at least one
   * @throws NotAppliedException if the handler knows that nothing of any of them has taken effect
   * @throws PartlyHandledException if it has handled the first of them and the rest failed
   * @throws Exception if it failed in any other way; whether the effects happened is then in doubt
   */
  void handle(List<Delivery<M>> deliveries) throws Exception;
}
