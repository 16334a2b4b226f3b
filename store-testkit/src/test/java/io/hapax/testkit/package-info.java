/** Tests of the kit: it accepts the in-memory store, and detects broken stores. */
@NullMarked
package io.hapax.testkit;

import org.jspecify.annotations.NullMarked;
