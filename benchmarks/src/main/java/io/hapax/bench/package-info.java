/** Measures the cost of Hapax on real servers, beside a floor and the limit of the server. */
@NullMarked
package io.hapax.bench;

import org.jspecify.annotations.NullMarked;
