package io.hapax;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.generation.Generations;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Lets each message take effect once: takes messages from an adapter, claims their ids in the
 * store, runs the handler for those that were acquired, marks them DONE, and says of each whether
 * it may be acknowledged.
 *
 * <p>Built by {@link #builder}. Thread-safe. Does not close the store.
 *
 * @param <M> the broker's message
 */
public final class IdempotentReceiver<M> implements AutoCloseable {

  private final Engine<M> engine;
  private final boolean handlesBatches;

  IdempotentReceiver(Engine<M> engine, boolean handlesBatches) {
    this.engine = engine;
    this.handlesBatches = handlesBatches;
  }

  /**
   * Starts a builder.
   *
   * @param consumerName the consumer's name: the same for all instances that share the work,
   *     different for every other use of the store, because two consumers of one name answer for
   *     each other's messages; it does not end with {@code #} and digits, which is how its
   *     generation is written ({@link Generations})
   * @param <M> the broker's message
   * @return a builder
   */
  public static <M> ReceiverBuilder<M> builder(String consumerName) {
    return new ReceiverBuilder<>(consumerName);
  }

  /**
   * Hands messages in and returns at once. The outcomes follow, each as it stands. A lane must not
   * be part of two submissions at once: wait until each of its messages has its outcome before
   * handing in more of it.
   *
   * <p>While the store is unavailable the messages wait, and the claim is sent again with growing
   * pauses, until it answers or the submission is abandoned. Once the consumer's generation has
   * moved ({@link Generations}) they wait until it is abandoned.
   *
   * @param messages the messages, in the order of their lanes
   * @param sink receives the outcomes
   * @return a handle to give up or to wait
   * @throws IllegalStateException if the receiver is closed
   */
  public Submission submit(List<Incoming<M>> messages, OutcomeSink sink) {
    return engine.submit(messages, sink);
  }

  /**
   * The same for a thread that waits for the outcomes next: it reads the messages' ids itself, so
   * that no other thread has to be woken for that. The functions for id and fingerprint run on the
   * calling thread; a message that an interrupt of it kept from being read is given up as
   * {@link Outcome.Reason#ABANDONED}, and comes again. Neither the store nor a handler is waited
   * for. Outcomes may be handed to the sink before this returns; what each allows to be
   * acknowledged is the same as with {@link #submit}.
   *
   * @param messages the messages, in the order of their lanes
   * @param sink receives the outcomes
   * @return a handle to give up or to wait
   * @throws IllegalStateException if the receiver is closed
   */
  public Submission submitOnCallerThread(List<Incoming<M>> messages, OutcomeSink sink) {
    return engine.submitOnCallerThread(messages, sink);
  }

  /**
   * Hands messages in and waits for the outcomes, for a caller that owns its own loop.
   *
   * @param messages the messages, in the order of their lanes
   * @param patience after this time what has not started is given up and deferred; a running
   *     handler is waited for
   * @return the i-th outcome of the i-th message
   * @throws InterruptedException if the thread was interrupted; what has not started was given up
   * @throws IllegalStateException if the receiver is closed
   */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return engine.receive(messages, patience);
  }

  /**
   * How the receiver is.
   *
   * @return what is known at this moment; no call to the store is made for it
   */
  public ReceiverHealth health() {
    return engine.health();
  }

  /**
   * Why messages do not move: the problems of {@link #health()}. No call to the store is made for
   * it.
   *
   * @return empty while all is well. Of more than twenty the last says how many more there are
   */
  public List<Problem> problems() {
    return health().problems();
  }

  /**
   * The clock by which this receiver dates its problems; for adapters, which date theirs by it.
   *
   * @return the clock
   */
  public InstantSource clock() {
    return engine.clock();
  }

  /**
   * Whether the handler writes through the store's own transaction.
   *
   * @return true in transactional mode
   */
  public boolean transactional() {
    return engine.transactional();
  }

  /**
   * Whether one call of the handler may take many messages; for adapters, which then keep messages
   * that came together in one lane.
   *
   * @return true with {@code leasedBatches} and in transactional mode
   */
  public boolean handlesBatches() {
    return handlesBatches;
  }

  /**
   * How long claims live; for adapters, which check it against the broker's time-outs.
   *
   * @return the settings
   */
  public LeaseSettings lease() {
    return engine.settings().lease();
  }

  /**
   * How often a message is tried; for adapters, whose broker may count too.
   *
   * @return the settings
   */
  public RetrySettings retry() {
    return engine.settings().failing().retry();
  }

  /**
   * How long a handler may take; for adapters, which check it against the broker's time-outs.
   *
   * @return the limit, empty if there is none
   */
  public Optional<Duration> handlerTimeout() {
    return engine.settings().running().handlerTimeout();
  }

  /**
   * How long the store remembers what was done; for adapters, which check it against how far back
   * the broker can replay.
   *
   * @return the dedup window
   */
  public Duration retention() {
    return engine.retention();
  }

  /**
   * Whether a message without a usable id is known by its broker coordinates. An adapter whose
   * broker gives a redelivered message other coordinates has to refuse that.
   *
   * @return whether it is {@link MissingIdPolicy#COORDINATES}
   */
  public boolean identifiesByCoordinates() {
    return engine.settings().reading().missingIds() == MissingIdPolicy.COORDINATES;
  }

  /**
   * Who publishes dead letters; for adapters, which look at start whether it can.
   *
   * @return the publisher, empty if there is none
   */
  public Optional<DeadLetterPublisher<M>> deadLetters() {
    return engine.settings().reporting().deadLetters();
  }

  /**
   * Gives up what has not started, waits for running handlers up to the drain time-out, settles
   * what they did, and ends all threads. A handler that outlives the time-out is interrupted; its
   * claim runs out by itself.
   *
   * <p>The time-out counts from this call. For messages that an adapter gave up earlier, because it
   * was closed or lost their partition, it counts from that moment: an adapter and its receiver,
   * closed one after the other, wait for a handler once. A store that does not answer does not
   * prolong it.
   */
  @Override
  public void close() {
    engine.close();
  }

  /**
   * Closes as {@link #close()} does, with another limit than the drain time-out.
   *
   * @param limit how long running handlers are waited for; zero or less does not wait
   */
  public void close(Duration limit) {
    engine.close(limit);
  }
}
