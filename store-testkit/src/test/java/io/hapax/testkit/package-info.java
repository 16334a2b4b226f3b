/** The kit's own tests: it accepts the in-memory store, and it catches broken ones. */
@NullMarked
package io.hapax.testkit;

import org.jspecify.annotations.NullMarked;
