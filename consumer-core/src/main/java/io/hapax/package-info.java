/**
 * The API for users. The entry point is {@link io.hapax.IdempotentReceiver}: an adapter of a broker
 * submits messages to it, and a store from another module keeps its marks.
 */
@NullMarked
package io.hapax;

import org.jspecify.annotations.NullMarked;
