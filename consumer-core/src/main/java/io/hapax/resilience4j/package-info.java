/**
 * Takes settings over from <a href="https://resilience4j.readme.io">resilience4j</a>. The one
 * package of the API that names its types; inside, the engine takes its intervals from it.
 */
@NullMarked
package io.hapax.resilience4j;

import org.jspecify.annotations.NullMarked;
