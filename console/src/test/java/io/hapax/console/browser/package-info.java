/** Tests of the console in a real browser. */
@NullMarked
package io.hapax.console.browser;

import org.jspecify.annotations.NullMarked;
