/** Runs lanes, batches and transactions, and resolves messages in doubt. */
@NullMarked
package io.hapax.internal.run;

import org.jspecify.annotations.NullMarked;
