/** What a dedup store must offer. */
@NullMarked
package io.hapax.store;

import org.jspecify.annotations.NullMarked;
