/** Runs inside the broker's own JVM. No other JVM calls this code. */
@NullMarked
package io.hapax.servers.kafka;

import org.jspecify.annotations.NullMarked;
