@NullMarked
package io.hapax.metrics;

import org.jspecify.annotations.NullMarked;
