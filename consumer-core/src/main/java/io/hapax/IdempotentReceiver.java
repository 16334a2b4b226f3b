package io.hapax;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.generation.Generations;
import io.hapax.health.Problem;
import io.hapax.internal.ReceiverEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Lets each message take effect once. It receives messages from an adapter and claims their ids in
 * the store. It runs the handler for the acquired ones and marks them DONE. It reports for each
 * message whether it may be acknowledged.
 *
 * <p>Built by {@link #builder}. Thread-safe. Does not close the store.
 *
 * @param <M> the broker's message
 */
public final class IdempotentReceiver<M> implements AutoCloseable {

  private final ReceiverEngine<M> engine;

  IdempotentReceiver(ReceiverEngine<M> engine) {
    this.engine = engine;
  }

  /**
   * {@return a new builder}
   *
   * @param consumerName the consumer's name: the same for all instances that share the work, and
   *     different for every other use of the store. Two consumers with the same name share their
   *     marks. It must not end with {@code #} and digits, because its generation is written so
   *     ({@link Generations})
   * @param <M> the broker's message
   */
  public static <M> ReceiverBuilder<M> builder(String consumerName) {
    return new ReceiverBuilder<>(consumerName);
  }

  /**
   * Submits messages, and waits neither for the store nor for a handler. The sink receives each
   * outcome as soon as it is known, which may be before the call returns. A lane must not be part
   * of two submissions at a time: wait until each of its messages has its outcome before you submit
   * more of it, or use {@link ReceiverPort#openLanes}.
   *
   * <p>The functions for id and fingerprint run on the calling thread; before the consumer's
   * generation was read, on another one. If an interrupt of the calling thread keeps a message from
   * being read, the message is deferred as {@link Outcome.Reason#ABANDONED}.
   *
   * <p>While the store is unavailable the messages wait, and the claim is sent again with growing
   * pauses, until the store answers or the submission is abandoned. After the consumer's generation
   * has moved ({@link Generations}) they wait until the submission is abandoned.
   *
   * @param messages the messages, in the order of their lanes
   * @param sink receives the outcomes
   * @return a handle with which to abandon the submission or wait for it
   * @throws ReceiverClosedException if the receiver is closed or has failed
   */
  public Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink) {
    return engine.submit(messages, sink);
  }

  /**
   * Submits messages and waits for their outcomes, for a caller with its own loop.
   *
   * @param messages the messages, in the order of their lanes
   * @param patience after this time the messages that have not started are abandoned and deferred;
   *     the call still waits for running handlers
   * @return the outcomes, in the order of the messages
   * @throws InterruptedException if the thread was interrupted; what had not started is abandoned
   * @throws ReceiverClosedException if the receiver is closed or has failed
   */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return engine.receive(messages, patience);
  }

  /**
   * Receives messages as {@link #receive} does, but runs all of the user's code for them on the
   * calling thread, one message at a time. It is for code that needs this thread: its thread
   * locals, a transaction of Spring, or a consumer that one thread may use only.
   *
   * <p>On the calling thread run: the functions for id and fingerprint, the handler, the policy for
   * conflicts, the handler of duplicates, the probe and the publisher of dead letters. In
   * transactional mode the store's transaction runs there, too. Other store calls, and listeners,
   * run on the receiver's threads. {@link ReceiverBuilder#workers} does not limit how many threads
   * call this method. But with {@link UnknownOutcomePolicy#probe} and
   * {@link UnknownOutcomePolicy#deadLetter} no more messages are claimed at a time than there are
   * workers: set it to at least the number of calling threads.
   *
   * <p>One call to the store claims all messages, except with those two policies. Messages run in
   * the order of the list. A message that has to wait, for example for a retry in process, lets
   * those of other lanes run first.
   *
   * <p>After an interrupt of the calling thread no further message starts, and what has not started
   * is abandoned. The call throws once the messages that had started have their outcomes, so that
   * their claims are settled. The interrupt of a handler that exceeds
   * {@link ReceiverBuilder#handlerTimeout}, or runs when the receiver is closed, does not count: it
   * never outlives the handler. A handler that throws {@link InterruptedException} or returns with
   * the interrupt flag set, although the receiver did not interrupt it, counts as an interrupt of
   * the calling thread. While the store does not answer, the call waits for these settlements and
   * for a claim under way, until the store answers or the receiver is closed. In transactional mode
   * an interrupt may also meet a call to the database.
   *
   * @param messages the messages, in the order of their lanes
   * @param patience after this time the messages that have not started are abandoned and deferred;
   *     the call still waits for those that have. Make it longer than the quiet period of a probe
   *     ({@link ProbeSettings#quiet}), which begins anew with each claim
   * @return the outcomes, in the order of the messages
   * @throws InterruptedException if the calling thread was interrupted. The outcomes are lost, so
   *     that no message of the call may be acknowledged. Each one that was handled is a duplicate
   *     when it is redelivered
   * @throws IllegalStateException if code that this method runs for another message of this
   *     receiver calls it: its messages might wait for the message that runs
   * @throws ReceiverClosedException if the receiver is closed or has failed
   */
  public List<Outcome> receiveOnCallerThread(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return engine.receiveOnCallerThread(messages, patience);
  }

  /** Runs a message on this thread for an executor; see {@link ReceiverEngine}. */
  Optional<Outcome> receiveOnCallerThread(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    return engine.receiveOnCallerThread(message, patience, handled, limit);
  }

  /** {@return what an adapter for a broker calls} */
  public ReceiverPort<M> port() {
    return engine;
  }

  /** {@return the state of the receiver at this moment, without a call to the store} */
  public ReceiverHealth health() {
    return engine.health();
  }

  /** {@return what shadow mode ({@link ReceiverBuilder#shadow}) found so far; empty without it} */
  public Optional<ShadowReport> shadowReport() {
    return engine.shadowReport();
  }

  /**
   * {@return why messages do not move: the problems of {@link #health()}, without a call to the
   * store; empty if there is none} Of more than twenty the last says how many more there are.
   */
  public List<Problem> problems() {
    return health().problems();
  }

  /** {@return the name given to the builder, without the generation} */
  public String consumerName() {
    return engine.given().scope();
  }

  /** {@return the publisher of dead letters, if any; adapters check its target at the start} */
  public Optional<DeadLetterPublisher<M>> deadLetters() {
    return engine.given().reporting().deadLetters();
  }

  /**
   * Abandons messages that have not started, waits for running handlers up to the drain timeout,
   * settles their claims, and ends all threads. A handler that exceeds the timeout is interrupted;
   * the lease of its claim expires. An interrupt of the calling thread ends the wait: running
   * handlers are interrupted at once, and their effects may repeat.
   *
   * <p>The timeout counts from this call. For messages that an adapter abandoned earlier, because
   * it was closed or lost their partition, it counts from that moment. So an adapter and its
   * receiver, closed one after the other, wait for a handler once. A store that does not answer
   * does not prolong it.
   */
  @Override
  public void close() {
    engine.close();
  }

  /**
   * Closes as {@link #close()} does, with another limit than the drain timeout.
   *
   * @param limit how long to wait for running handlers; zero or less does not wait
   */
  public void close(Duration limit) {
    engine.close(limit);
  }
}
