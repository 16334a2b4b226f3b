/** Tests of the console within an application. */
@NullMarked
package io.hapax.spring.console;

import org.jspecify.annotations.NullMarked;
