/**
 * What a user types. The entry point is {@link io.hapax.IdempotentReceiver}; a broker's adapter
 * feeds it, a store from another module keeps its marks.
 */
@NullMarked
package io.hapax;

import org.jspecify.annotations.NullMarked;
