/** Provides time, threads, backoff, settings and nonces to all parts of the engine. */
@NullMarked
package io.hapax.internal.runtime;

import org.jspecify.annotations.NullMarked;
