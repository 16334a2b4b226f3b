package io.hapax;

import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import java.util.List;

/**
 * Handles several messages per call in leased mode, so that the user's calls can be batched, too.
 *
 * <p>It receives consecutive, acquired messages of one lane (for Kafka a partition). These are at
 * most the messages that the adapter took from the lane together; for Kafka, the records of one
 * poll and partition. Messages that failed or were deferred before, and those taken over from a
 * vanished owner, come alone, so that a poison message is found.
 *
 * <p>If it returns normally, the effects of all messages have happened: each is marked DONE and may
 * then be acknowledged. If it throws, all messages have failed and each has used an attempt; a
 * {@link PartlyHandledException} says which of them have not failed, and a
 * {@link DeferredException} uses no attempt. After a crash all of them are in doubt. Called on a
 * worker thread, or on the thread that calls {@link IdempotentReceiver#receiveOnCallerThread}; for
 * one lane one call after the other.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface BatchHandler<M> {

  /**
   * Handles messages, in the given order.
   *
   * @param deliveries the messages that may run, of one lane; at least one
   * @throws NotAppliedException if the handler knows that no effect of any of them has happened
   * @throws PartlyHandledException if it has handled the first of them and the rest failed
   * @throws Exception if it failed in any other way; the messages are then in doubt
   */
  void handle(List<Delivery<M>> deliveries) throws Exception;
}
