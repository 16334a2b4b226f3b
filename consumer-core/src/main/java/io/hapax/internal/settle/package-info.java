/** Settles claims in groups; handles failures, dead-letter records, conflicts and results. */
@NullMarked
package io.hapax.internal.settle;

import org.jspecify.annotations.NullMarked;
