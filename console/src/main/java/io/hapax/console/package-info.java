/**
 * The web console: pages that show a consumer's marks, dead letters and duplicates, and actions on
 * them. {@link io.hapax.console.Console} handles the requests of any HTTP server,
 * {@link io.hapax.console.ConsoleServer} uses that of the JDK.
 */
@NullMarked
package io.hapax.console;

import org.jspecify.annotations.NullMarked;
