/**
 * For RocketMQ's gRPC client (5.x), which speaks to a proxy: a receiver for its simple consumer.
 *
 * <p>Experimental. It was run with {@code rocketmq-client-java} 5.2.0 against one proxy 5.5.0 in
 * LOCAL mode with one broker, without TLS and access control. Not run: a proxy in CLUSTER mode,
 * several proxies, a proxy or broker that restarts under a consumer, and anything that takes hours.
 *
 * <p>This client cannot query what {@code rocketmq-adapter} checks at start:
 *
 * <ul>
 *   <li>how long the broker keeps messages; the store's retention has to cover that
 *   <li>the group's {@code retryMaxTimes}; it is set in the builder
 *   <li>whether the dead-letter topic exists, unless the producer was built with it
 * </ul>
 */
@NullMarked
package io.hapax.rocketmq.grpc;

import org.jspecify.annotations.NullMarked;
