/**
 * The operations of operators on a consumer's topics and marks: audits, replays, redrives,
 * redeliveries and resolutions. {@link io.hapax.operations.Broker} starts them on either broker.
 */
@NullMarked
package io.hapax.operations;

import org.jspecify.annotations.NullMarked;
