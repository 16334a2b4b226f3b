/** The routes of the console and their handlers. */
@NullMarked
package io.hapax.console.site;

import org.jspecify.annotations.NullMarked;
