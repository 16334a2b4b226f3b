/** Real servers as child processes on the loopback interface. */
@NullMarked
package io.hapax.servers;

import org.jspecify.annotations.NullMarked;
