/** Authentication and protection of requests: token, sessions, host names and CSRF tokens. */
@NullMarked
package io.hapax.console.security;

import org.jspecify.annotations.NullMarked;
