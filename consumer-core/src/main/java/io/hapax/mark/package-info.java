/** The mark and its machine: a pure function of mark, event and time. */
@NullMarked
package io.hapax.mark;

import org.jspecify.annotations.NullMarked;
