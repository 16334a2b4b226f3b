/** Sends claims in groups, retries them, renews leases and limits suspects. */
@NullMarked
package io.hapax.internal.claim;

import org.jspecify.annotations.NullMarked;
