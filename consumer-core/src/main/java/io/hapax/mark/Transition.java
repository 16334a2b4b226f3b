package io.hapax.mark;

/**
 * The result of a verb on a mark.
 *
 * @param next the mark afterwards; the same object if nothing changed
 * @param answer the answer to the caller
 * @param <A> the kind of answer
 */
public record Transition<A>(Mark next, A answer) {}
