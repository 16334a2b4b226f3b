/** Shadow mode: runs every message, and observes what Hapax would have done. */
@NullMarked
package io.hapax.internal.shadow;

import org.jspecify.annotations.NullMarked;
