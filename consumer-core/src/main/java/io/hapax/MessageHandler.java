package io.hapax;

import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;

/**
 * Handles a message in leased mode. It may do anything: call a service, send mail, use a database.
 *
 * <p>If it returns normally, the effect has happened: the message is marked DONE and may then be
 * acknowledged. A crash between the effect and the DONE mark leaves the message in doubt, and the
 * {@link UnknownOutcomePolicy} decides. Called on a worker thread, or on the thread that calls
 * {@link IdempotentReceiver#receiveOnCallerThread}. Messages of one lane (for Kafka a partition)
 * are handled one after the other.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface MessageHandler<M> {

  /**
   * Handles a message.
   *
   * @param delivery the message and its attempt
   * @throws NotAppliedException if the handler knows that its effect has not happened;
   *     {@link DeferredException} asks for the message again after a wait
   * @throws Exception if it failed in any other way; the message is then in doubt
   */
  void handle(Delivery<M> delivery) throws Exception;
}
