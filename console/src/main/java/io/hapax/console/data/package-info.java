/** Reads the data of the pages from the store, the broker and the jobs. */
@NullMarked
package io.hapax.console.data;

import org.jspecify.annotations.NullMarked;
