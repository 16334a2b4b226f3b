package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A verb over a list of items: what its script is told, and what to make of what it says.
 *
 * @param script the script
 * @param arguments what it is told before the items, behind the clock's offset
 * @param key the message of an item
 * @param tell what it is told of an item
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

    /** Of an item, what was said of it (null: nothing), and the server's time in microseconds. */
    A read(I item, @Nullable Object said, long now);
  }
}
