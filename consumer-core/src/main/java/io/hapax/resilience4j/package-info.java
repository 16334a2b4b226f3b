/**
 * Converts settings of <a href="https://resilience4j.readme.io">resilience4j</a>. Only this package
 * of the API has types of resilience4j.
 */
@NullMarked
package io.hapax.resilience4j;

import org.jspecify.annotations.NullMarked;
