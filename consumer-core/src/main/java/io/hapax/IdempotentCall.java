package io.hapax;

import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;

/**
 * What an {@link IdempotentExecutor} runs once for each id. It may do anything: call a service,
 * send mail, write to a database.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface IdempotentCall<X extends Exception> {

  /**
   * Takes effect. If it throws a {@link NotAppliedException}, its effect has not happened. After
   * any other exception the effect is in doubt.
   *
   * @param delivery the attempt; its message is the id. Valid only while the call runs
   * @return the result, which a later call under the same id gets instead of running;
   *     {@link Bytes#EMPTY} for none
   * @throws X if it failed; the next call under the same id may run
   */
  Bytes call(Delivery<Bytes> delivery) throws X;
}
