/** The operations on RocketMQ. */
@NullMarked
package io.hapax.operations.rocketmq;

import org.jspecify.annotations.NullMarked;
