/**
 * What a broker adapter submits to a receiver and gets back: messages, submissions, outcomes.
 *
 * <p>An adapter has four ways to submit messages to an {@link io.hapax.IdempotentReceiver}:
 *
 * <ul>
 *   <li>{@link ReceiverPort#openLanes} for an adapter that owns partitions or queues for some time.
 *       It submits further messages while earlier ones have no outcome, and never waits.
 *   <li>{@code submit(..)} for messages of lanes that have no other messages in flight.
 *   <li>{@code receive(..)} for a thread of the broker's client that waits for the outcomes,
 *       because it acknowledges by returning.
 *   <li>{@code receiveOnCallerThread(..)} for such a thread, if the user's code must run on it.
 * </ul>
 *
 * <p>An adapter that owns its consumer reads in a {@link PollingLoop}, which a {@link PollThread}
 * runs.
 */
@NullMarked
package io.hapax.adapter;

import org.jspecify.annotations.NullMarked;
