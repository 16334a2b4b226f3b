/**
 * The mark and its machine: what a message's mark is, and what every verb does to it. Nothing here
 * reads a clock, does IO, logs or locks; time is always an argument. Every store, whatever it is
 * made of, must behave as {@link io.hapax.mark.MarkMachine} does.
 */
@NullMarked
package io.hapax.mark;

import org.jspecify.annotations.NullMarked;
