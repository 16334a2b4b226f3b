/** One in-flight message and its state, submissions, ids in flight, outcomes. */
@NullMarked
package io.hapax.internal.message;

import org.jspecify.annotations.NullMarked;
