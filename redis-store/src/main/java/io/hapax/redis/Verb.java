package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A verb over a list of items: encodes the arguments of its script and decodes the answers.
 *
 * @param arguments the verb's arguments before those of the items
 * @param encoder encodes an item in a self-delimiting form
 * @param unavailable creates the answer to an item whose batch failed while others were answered
 */
record Verb<I, A>(
    Script script,
    List<byte[]> arguments,
    Function<I, MessageKey> key,
    Function<I, byte[]> encoder,
    Decoder<I, A> decoder,
    Function<String, A> unavailable) {

  /** Decodes the answer to one item. */
  interface Decoder<I, A> {

    /**
     * Decodes an answer.
     *
     * @param code its {@link AnswerCode}, or the {@link StateCode} of the mark that fences it
     * @param details returns the details of the answer, if its code has any; must then be called
     * @param now the server's time, microseconds
     */
    A decode(I item, byte code, Supplier<byte[]> details, long now);
  }
}
