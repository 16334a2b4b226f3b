package io.hapax.internal.shadow;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;

/** Gives a message of a receiver in shadow mode as its adapter gives it. */
record ShadowedHandout<M>(Handout<M> adapter, Shadowed<M> run) implements Handout<Shadowed<M>> {

  /** Returns the run of a message, without reading the message again. */
  static <M> Shadowed<M> runOf(Incoming<Shadowed<M>> message) {
    return message.handout() instanceof ShadowedHandout<M> handout
        ? handout.run()
        : message.message();
  }

  @Override
  public Shadowed<M> received() {
    return run.with(adapter.received());
  }

  @Override
  public Shadowed<M> next() {
    return run.with(adapter.next());
  }

  @Override
  public boolean isSpent() {
    return adapter.isSpent();
  }
}
