package io.hapax.adapter;

import io.hapax.errors.ReceiverClosedException;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What an adapter for a broker calls of an {@link io.hapax.IdempotentReceiver}, besides the methods
 * that a caller with its own loop uses. The adapter acknowledges a message once its outcome permits
 * that ({@link Outcome#mayAcknowledge}), and never before.
 *
 * <p>Thread-safe.
 *
 * @param <M> the broker's message
 */
public interface ReceiverPort<M> {

  /**
   * What adapters compare with the settings of their broker. It never changes.
   *
   * @param transactional whether the handler writes through the store's transaction
   * @param handlesBatches whether a call of the handler may take several messages, as with
   *     {@code leasedBatches} and in transactional mode; adapters then keep messages that arrived
   *     together in one lane
   * @param lease the time of a lease, for the broker's timeouts
   * @param maxAttempts the attempts of a message; the broker may count them too
   * @param handlerTimeout the timeout of a handler, if any, for the broker's timeouts
   * @param probing how long a message in doubt may wait for its probe before it runs; zero without
   *     one. A patience that is not longer gives the message up each time, so that it never runs
   * @param retention the retention of DONE marks, for the broker's retention
   * @param identifiesByCoordinates whether a message without a usable id is identified by its
   *     broker coordinates, by {@link MissingIdPolicy#COORDINATES}. An adapter whose broker gives a
   *     redelivered message other coordinates must refuse that
   */
  record Settings(
      boolean transactional,
      boolean handlesBatches,
      Duration lease,
      int maxAttempts,
      Optional<Duration> handlerTimeout,
      Duration probing,
      Duration retention,
      boolean identifiesByCoordinates) {}

  /**
   * The lanes of one assignment. They outlive submissions: an adapter submits further messages of a
   * lane while earlier ones are claimed, run or settled. The messages of a lane still run one after
   * the other, in the order of their submission.
   *
   * <p>A lane stops at the first message that is deferred and keeps an order
   * ({@link Incoming#inOrder()}). The messages behind it are deferred as
   * {@link Outcome.Reason#BLOCKED}, and their claims are released, also those of later submissions
   * and of submissions that arrive after the stop. The lane stays stopped until {@link #restart}.
   *
   * <p>In leased mode the claims of further messages are sent while earlier ones run, within the
   * limit of {@link io.hapax.ReceiverBuilder#claimWindow}. In transactional mode the transaction of
   * a submission begins when the earlier messages of its lanes have their outcomes.
   *
   * <p>Any thread may call, one at a time: the order of the calls is the order of the messages. A
   * crash leaves behind what it leaves behind of the same messages without a group.
   *
   * @param <M> the broker's message
   */
  interface LaneGroup<M> extends AutoCloseable {

    /**
     * Submits messages as {@link io.hapax.IdempotentReceiver#submit} does. Earlier messages of the
     * same lanes need not have their outcomes yet.
     *
     * @param messages the messages, in the order of their lanes
     * @param sink receives the outcomes
     * @return a handle with which to abandon the submission or wait for it
     * @throws IllegalStateException if the group is closed
     * @throws io.hapax.errors.ReceiverClosedException if the receiver is closed or has failed
     */
    Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink);

    /**
     * Lets a stopped lane run again. Call it when every message that was submitted to the lane has
     * its outcome, and then submit again from the first message that was deferred. It also forgets
     * a lane whose assignment has ended: the next message of its name begins a new lane, which
     * waits for no message of the old one.
     *
     * @param lane the lane, see {@link Incoming#lane()}
     */
    void restart(String lane);

    /**
     * Gives up what has not started, as {@link Submission#abandon} does for each submission of the
     * group. Returns at once; the outcomes of running handlers follow.
     */
    @Override
    void close();
  }

  /** {@return what the receiver was built with} */
  Settings settings();

  /**
   * {@return lanes for an assignment, to be closed when it ends: partitions or queues that an
   * adapter owns until it has to give them up} In contrast to
   * {@link io.hapax.IdempotentReceiver#submit}, further messages of a lane are submitted while
   * earlier ones have no outcome yet.
   */
  LaneGroup<M> openLanes();

  /**
   * Receives messages as {@link io.hapax.IdempotentReceiver#receiveOnCallerThread} does, for an
   * adapter that needs outcomes before the call returns: a handler can ask it which earlier ones
   * are settled.
   *
   * @param messages the messages, in the order of their lanes
   * @param patience as for the other method
   * @param sink receives each outcome as soon as it is known, on any thread
   * @return the outcomes, in the order of the messages
   * @throws InterruptedException if the calling thread was interrupted
   * @throws IllegalStateException as for the other method
   * @throws ReceiverClosedException if the receiver is closed or has failed
   */
  List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException;

  /**
   * Does nothing while the receiver runs; adapters ask in each round, so that they leave their
   * group once it has failed. A receiver that is closed has not failed. Any thread may call it; it
   * waits for nothing.
   *
   * @throws ReceiverClosedException if an error of the receiver's own code has ended it, for
   *     example an {@link OutOfMemoryError}
   */
  void requireRunning();

  /** {@return the clock by which the receiver dates its problems; adapters use it, too} */
  InstantSource clock();
}
