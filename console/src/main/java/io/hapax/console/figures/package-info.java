/** The figures of the view Now, and their sources. */
@NullMarked
package io.hapax.console.figures;

import org.jspecify.annotations.NullMarked;
