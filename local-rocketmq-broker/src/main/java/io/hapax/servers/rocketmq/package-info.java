/** Runs inside the broker's own JVM. No other JVM calls this code. */
@NullMarked
package io.hapax.servers.rocketmq;

import org.jspecify.annotations.NullMarked;
