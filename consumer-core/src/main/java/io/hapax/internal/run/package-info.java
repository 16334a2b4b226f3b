/** Runs lanes, batches and transactions, and resolves what is in doubt. */
@NullMarked
package io.hapax.internal.run;

import org.jspecify.annotations.NullMarked;
