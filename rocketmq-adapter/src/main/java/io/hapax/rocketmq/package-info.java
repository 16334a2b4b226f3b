/** The receiver for RocketMQ, and wrappers for the listeners that its users have already. */
@NullMarked
package io.hapax.rocketmq;

import org.jspecify.annotations.NullMarked;
