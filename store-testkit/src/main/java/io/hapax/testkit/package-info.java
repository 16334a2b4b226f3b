/** The contract of a dedup store, as tests to inherit. */
@NullMarked
package io.hapax.testkit;

import org.jspecify.annotations.NullMarked;
