/**
 * The interfaces that a store implements, and the in-memory store with which the others are
 * compared. Every verb takes a list and costs a constant number of round trips, for any length.
 */
@NullMarked
package io.hapax.store;

import org.jspecify.annotations.NullMarked;
