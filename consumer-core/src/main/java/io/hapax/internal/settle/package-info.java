/** Settlements in groups, failures, dead letters, conflicts and results. */
@NullMarked
package io.hapax.internal.settle;

import org.jspecify.annotations.NullMarked;
