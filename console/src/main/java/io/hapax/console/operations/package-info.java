/** Code that the command line and the console share: broker operations and formats of results. */
@NullMarked
package io.hapax.console.operations;

import org.jspecify.annotations.NullMarked;
