package io.hapax.mark;

/**
 * What a verb makes of a mark.
 *
 * @param next the mark afterwards; the very same object if nothing changed
 * @param answer what the caller is told
 * @param <A> the kind of answer
 */
public record Transition<A>(Mark next, A answer) {}
