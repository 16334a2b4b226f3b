package io.hapax.adapter;

import java.util.function.UnaryOperator;

/**
 * Gives a message to the user's code. The engine may call a handler again with the same message: in
 * this delivery, or in a later one that an adapter serves from memory. A handler may change the
 * object that it gets, so each call needs an object that no earlier call has got. An adapter keeps
 * one handout for as long as it keeps the message. Thread-safe.
 *
 * @param <M> the broker's message
 */
public interface Handout<M> {

  /**
   * {@return the message as the broker sent it, for its id, its fingerprint and its dead letter} If
   * the handout {@link #isSpent}, a handler may have changed it.
   *
   * @throws RuntimeException if it cannot be read again now
   */
  M received();

  /**
   * {@return an object for the next call of a handler, which no earlier call got unless no call can
   * change it}
   *
   * @throws RuntimeException if it cannot be read again now
   * @throws IllegalStateException if the handout {@link #isSpent}
   */
  M next();

  /**
   * {@return whether the object was given to a call, and there is no way to make it again} Such a
   * message runs only after the broker has delivered it again.
   */
  boolean isSpent();

  /**
   * {@return a handout that gives a message to one call only, because its bytes are not known} A
   * message that cannot be changed, such as a text, is given to every call.
   *
   * @param message the broker's message
   * @param <M> the broker's message
   */
  static <M> Handout<M> of(M message) {
    return Unchangeable.is(message) ? always(message) : new GivenOnce<>(message);
  }

  /**
   * {@return a handout that gives the same object to every call, because no call can change it}
   *
   * @param message the broker's message
   * @param <M> the broker's message
   */
  static <M> Handout<M> always(M message) {
    return copied(message, UnaryOperator.identity());
  }

  /**
   * {@return a handout that gives a copy to every call, and never the message itself}
   *
   * @param message the broker's message
   * @param copy makes a copy; changes of a copy must not change the message
   * @param <M> the broker's message
   */
  static <M> Handout<M> copied(M message, UnaryOperator<M> copy) {
    return new GivenCopies<>(message, copy);
  }
}
