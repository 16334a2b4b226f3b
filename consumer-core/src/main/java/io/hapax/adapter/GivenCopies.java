package io.hapax.adapter;

import java.util.function.UnaryOperator;

/** Keeps the message and gives copies. */
record GivenCopies<M>(M received, UnaryOperator<M> copy) implements Handout<M> {

  @Override
  public M next() {
    return copy.apply(received);
  }

  @Override
  public boolean isSpent() {
    return false;
  }
}
