/** An order service on Hapax. */
@NullMarked
package io.hapax.demo;

import org.jspecify.annotations.NullMarked;
