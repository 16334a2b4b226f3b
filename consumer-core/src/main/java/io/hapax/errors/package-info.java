/** The exceptions of Hapax, and those that a handler throws. */
@NullMarked
package io.hapax.errors;

import org.jspecify.annotations.NullMarked;
