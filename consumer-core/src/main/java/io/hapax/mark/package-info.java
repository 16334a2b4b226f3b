/**
 * The mark (the store's record of one message) and its state machine. Nothing here reads a clock,
 * does IO, logs or locks; time is always an argument. Every store must do what
 * {@link io.hapax.mark.MarkMachine} does.
 */
@NullMarked
package io.hapax.mark;

import org.jspecify.annotations.NullMarked;
