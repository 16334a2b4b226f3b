package io.hapax.jdbc;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Transition;
import java.time.Instant;
import java.util.function.Function;

/** A verb of the mark machine, with what the store must know about its items. */
record Decision<I, A>(Function<I, MessageKey> key, Function<I, Instant> notAfter, Verb<I, A> verb) {

  /** One of the machine's functions, with its other arguments bound. */
  @FunctionalInterface
  interface Verb<I, A> {
    Transition<A> decide(Mark mark, I item, Instant now);
  }

  static <I, A> Decision<I, A> atAnyTime(Function<I, MessageKey> key, Verb<I, A> verb) {
    return new Decision<>(key, item -> Instant.MAX, verb);
  }
}
