@NullMarked
package io.hapax.bench;

import org.jspecify.annotations.NullMarked;
