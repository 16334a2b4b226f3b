/** The calls to the dedup store: reply checks, outage detection, store time, the generation. */
@NullMarked
package io.hapax.internal.store;

import org.jspecify.annotations.NullMarked;
