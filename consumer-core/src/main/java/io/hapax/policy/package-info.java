/** Policies for messages that cannot be handled as usual, and for a store that does not answer. */
@NullMarked
package io.hapax.policy;

import org.jspecify.annotations.NullMarked;
