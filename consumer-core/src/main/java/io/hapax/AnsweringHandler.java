package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;

/**
 * A {@link MessageHandler} that returns a result, for example a receipt. The DONE mark holds the
 * result, and a duplicate of the message gets the same one ({@link ReceiverBuilder#onDuplicate}).
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface AnsweringHandler<M> {

  /**
   * Handles a message, by the rules of {@link MessageHandler#handle}.
   *
   * @param delivery the message and its attempt
   * @return the result; {@link Bytes#EMPTY} for none. A result that is longer than
   *     {@link ReceiverBuilder#resultLimit} is dropped: the effect has happened, so the message is
   *     DONE without a result
   * @throws NotAppliedException if the handler knows that its effect has not happened
   * @throws Exception if it failed in any other way; the message is then in doubt
   */
  Bytes handle(Delivery<M> delivery) throws Exception;
}
