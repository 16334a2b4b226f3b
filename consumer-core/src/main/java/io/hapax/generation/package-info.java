/** Moves the generation of a consumer, for tools. */
@NullMarked
package io.hapax.generation;

import org.jspecify.annotations.NullMarked;
