/** Problems that a health check shows, of a receiver and of its adapter. */
@NullMarked
package io.hapax.health;

import org.jspecify.annotations.NullMarked;
