package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;

/**
 * A {@link MessageHandler} whose work has a result, for example a receipt. The result is kept with
 * the DONE mark, and a duplicate of the message is answered with it: the same request gets the same
 * answer ({@link ReceiverBuilder#onDuplicate}).
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface AnsweringHandler<M> {

  /**
   * Handles a message. All that {@link MessageHandler#handle} says holds.
   *
   * @param delivery the message and what is known of this attempt
   * @return the result; {@link Bytes#EMPTY} for none. One that is longer than
   *     {@link ReceiverBuilder#resultLimit} is not kept: the effect has happened, so that the
   *     message is DONE all the same, without a result
   * @throws NotAppliedException if the handler knows that nothing has taken effect
   * @throws Exception if it failed in any other way; whether the effect happened is then in doubt
   */
  Bytes handle(Delivery<M> delivery) throws Exception;
}
