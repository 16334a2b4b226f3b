package io.hapax;

import io.hapax.errors.NotAppliedException;

/**
 * The user's work for one message in leased mode. It may do anything: call a service, send mail,
 * write to a database.
 *
 * <p>Returning normally says that the effect has happened; the message is then marked DONE and,
 * after that, may be acknowledged. A crash between the effect and the DONE mark leaves the effect
 * in doubt, and the {@link UnknownOutcomePolicy} decides. Called on a worker thread, for messages
 * of one lane (for Kafka a partition) one after the other.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface MessageHandler<M> {

  /**
   * Handles a message.
   *
   * @param delivery the message and what is known of this attempt
   * @throws NotAppliedException if the handler knows that nothing has taken effect
   * @throws Exception if it failed in any other way; whether the effect happened is then in doubt
   */
  void handle(Delivery<M> delivery) throws Exception;
}
