package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A verb over a list of items: what its script is told, and what to make of what it says.
 *
 * @param script the script
 * @param arguments what it is told before the items, behind the clock's offset
 * @param key the message of an item
 * @param tell what it is told of an item, in a form whose end can be told
 * @param reading makes the answer
 * @param unavailable what an item is answered whose part could not be reached while others were
 * @param <I> the kind of item
 * @param <A> the kind of answer
 */
record Verb<I, A>(
    Script script,
    List<byte[]> arguments,
    Function<I, MessageKey> key,
    Function<I, byte[]> tell,
    Reading<I, A> reading,
    Function<String, A> unavailable) {

  /** Makes an answer of what the script said. */
  interface Reading<I, A> {

    /** The letter of what a script says of nearly every item. */
    byte USUAL = '1';

    /**
     * The answer.
     *
     * @param item of which item
     * @param letter what was said of it
     * @param more gives what the script has said with the letter, if it says more with that one
     * @param now the server's time, microseconds
     */
    A read(I item, byte letter, Supplier<byte[]> more, long now);
  }
}
