/** What the operations need of a broker, and helpers. Not API: it may change at any time. */
@NullMarked
package io.hapax.operations.internal;

import org.jspecify.annotations.NullMarked;
