/** The engine. Not part of the API: may change in any release. */
@NullMarked
package io.hapax.internal;

import org.jspecify.annotations.NullMarked;
