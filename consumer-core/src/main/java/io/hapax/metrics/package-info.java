/**
 * What an operator sees of a receiver through <a href="https://micrometer.io">Micrometer</a>. The
 * one package that knows it: whoever uses this puts {@code io.micrometer:micrometer-core} on the
 * class path, nobody else needs it. No meter has a message's id among its tags.
 */
@NullMarked
package io.hapax.metrics;

import org.jspecify.annotations.NullMarked;
