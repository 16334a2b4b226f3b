/** What runs in the broker's own JVM. Nothing here is called from another one. */
@NullMarked
package io.hapax.servers.rocketmq;

import org.jspecify.annotations.NullMarked;
