/** Holds the state of messages in flight: submissions, ids, claims, lanes and outcomes. */
@NullMarked
package io.hapax.internal.message;

import org.jspecify.annotations.NullMarked;
