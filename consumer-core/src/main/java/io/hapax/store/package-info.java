/**
 * What a store must offer, and the in-memory store that is the oracle for all others. The batch is
 * the primitive: every verb takes a list and costs a constant number of round trips, whatever its
 * length.
 */
@NullMarked
package io.hapax.store;

import org.jspecify.annotations.NullMarked;
