/**
 * What Hapax costs, measured on real servers beside the least that one could do and the most that
 * the server can do.
 */
@NullMarked
package io.hapax.bench;

import org.jspecify.annotations.NullMarked;
