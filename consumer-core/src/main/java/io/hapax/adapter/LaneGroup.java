package io.hapax.adapter;

import java.util.List;

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
 * limit of {@link io.hapax.ReceiverBuilder#claimWindow}. In transactional mode the transaction of a
 * submission begins when the earlier messages of its lanes have their outcomes.
 *
 * <p>Any thread may call, one at a time: the order of the calls is the order of the messages. A
 * crash leaves behind what it leaves behind of the same messages without a group.
 *
 * @param <M> the broker's message
 */
public interface LaneGroup<M> extends AutoCloseable {

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
   * its outcome, and then submit again from the first message that was deferred. It also forgets a
   * lane whose assignment has ended: the next message of its name begins a new lane, which waits
   * for no message of the old one.
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
