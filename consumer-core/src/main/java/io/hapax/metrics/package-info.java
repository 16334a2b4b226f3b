/**
 * Meters and observations of receivers and stores, for <a
 * href="https://micrometer.io">Micrometer</a>. Only this package needs
 * {@code io.micrometer:micrometer-core} on the class path. No meter has a message id as a tag.
 */
@NullMarked
package io.hapax.metrics;

import org.jspecify.annotations.NullMarked;
