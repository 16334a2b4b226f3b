/** Calls the dedup store: reply checks, store time and the generation. */
@NullMarked
package io.hapax.internal.store;

import org.jspecify.annotations.NullMarked;
