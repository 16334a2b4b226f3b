/** The web console of the application's consumers, below the base path of the Actuator. */
@NullMarked
package io.hapax.spring.console;

import org.jspecify.annotations.NullMarked;
