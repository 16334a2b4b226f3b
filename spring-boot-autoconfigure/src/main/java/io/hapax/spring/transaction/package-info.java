/** Runs listeners and marks in the transactions of the application. */
@NullMarked
package io.hapax.spring.transaction;

import org.jspecify.annotations.NullMarked;
