/**
 * Decisions for messages that cannot be handled in the usual way, and for a store that does not
 * answer.
 */
@NullMarked
package io.hapax.policy;

import org.jspecify.annotations.NullMarked;
