/**
 * For RocketMQ's gRPC client (5.x), which speaks to a proxy: a receiver for its simple consumer.
 *
 * <p>Experimental. It was run with {@code rocketmq-client-java} 5.2.0 against one proxy 5.5.0 in
 * LOCAL mode with one broker, without TLS and access control. Not run: a proxy in CLUSTER mode,
 * several proxies, a proxy or broker that restarts under a consumer, and anything that takes hours.
 *
 * <p>What {@code rocketmq-adapter} looks over at start this client cannot ask for: how long the
 * broker keeps messages, which the store's retention has to cover; the group's
 * {@code retryMaxTimes}, which is set in the builder; and whether the dead-letter topic exists,
 * unless it is named to the producer.
 */
@NullMarked
package io.hapax.rocketmq.grpc;

import org.jspecify.annotations.NullMarked;
