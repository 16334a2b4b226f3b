package io.hapax.redis;

import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A verb over a list of items: encodes the arguments of its script and decodes the answers.
 *
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
     * Decodes an answer: its {@link AnswerCode}, or the {@link StateCode} of the mark that fences
     * it, and the server's time in microseconds. If the code has details, they must be read.
     */
    A decode(I item, byte code, Supplier<byte[]> details, long now);
  }
}
