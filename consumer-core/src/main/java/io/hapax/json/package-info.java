/**
 * Ids inside JSON, for the adapters. The one package that knows Jackson: whoever uses it puts
 * {@code com.fasterxml.jackson.core:jackson-databind} on the class path, nobody else needs it.
 */
@NullMarked
package io.hapax.json;

import org.jspecify.annotations.NullMarked;
