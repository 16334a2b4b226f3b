/** Calls the user's code with its time limit. */
@NullMarked
package io.hapax.internal.handler;

import org.jspecify.annotations.NullMarked;
