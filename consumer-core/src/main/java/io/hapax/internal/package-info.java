/** The engine. Nothing in here is API. */
@NullMarked
package io.hapax.internal;

import org.jspecify.annotations.NullMarked;
