/** Requests and responses without a framework, so that any HTTP server can serve the console. */
@NullMarked
package io.hapax.console.http;

import org.jspecify.annotations.NullMarked;
