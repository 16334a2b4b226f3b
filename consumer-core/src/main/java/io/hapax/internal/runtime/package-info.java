/** Time, threads, backoff, settings and nonces: what every part of the engine uses. */
@NullMarked
package io.hapax.internal.runtime;

import org.jspecify.annotations.NullMarked;
