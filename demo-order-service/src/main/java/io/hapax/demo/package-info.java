/** Runs an order service on Hapax, and a campaign of faults against it. */
@NullMarked
package io.hapax.demo;

import org.jspecify.annotations.NullMarked;
