/** Collects what is known about one message, and decides whether anything has to be done. */
@NullMarked
package io.hapax.operations.lookup;

import org.jspecify.annotations.NullMarked;
