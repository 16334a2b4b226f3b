/**
 * Ids inside JSON, for the adapters. Only this package needs
 * {@code com.fasterxml.jackson.core:jackson-databind} on the class path.
 */
@NullMarked
package io.hapax.json;

import org.jspecify.annotations.NullMarked;
