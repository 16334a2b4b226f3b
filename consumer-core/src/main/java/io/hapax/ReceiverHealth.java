package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The state of a receiver at one moment, for a health check and for people. It costs no call to the
 * store. It does not include the adapter's broker; the adapter's {@code problems()} include both.
 *
 * @param storeReachable false from a call to the store that failed until one that was answered
 * @param problems why messages do not move, by kind, the oldest of each kind first; empty if there
 *     is no problem. A store that is not reachable is a problem. Of more than twenty the last says
 *     how many more there are
 * @param sinceSettled the time since the latest settlement. If it grows although the receiver has
 *     work, the receiver is stuck; without work it grows too. Empty before the first settlement
 * @param staleMarks the result of the latest count of stale marks; empty unless they are counted
 *     ({@link ReceiverBuilder#countStaleMarks}), before the first count, and after one that failed
 * @param oldestUnfinished the time since the oldest message without an outcome was submitted: it
 *     waits for the store or for its turn, runs, or is being settled. Empty if there is none
 * @param waiting messages that hold back their lanes until they are due: their backoff has not
 *     passed, their handler deferred them, or another process has claimed them. At most 100, the
 *     latest due first. They are not problems
 */
public record ReceiverHealth(
    boolean storeReachable,
    List<Problem> problems,
    Optional<Duration> sinceSettled,
    Optional<StaleMarks> staleMarks,
    Optional<Duration> oldestUnfinished,
    List<WaitingMessage> waiting) {

  /** {@return whether there is no problem} */
  public boolean well() {
    return problems.isEmpty();
  }

  /**
   * A message that is not due and holds back the messages behind it in its lane: a partition, a
   * queue, or the messages of one ordering key.
   *
   * @param message the message
   * @param coordinates where it lies in the broker
   * @param reason {@link Outcome.Reason#RETRY} if an attempt failed here;
   *     {@link Outcome.Reason#DEFERRED} if its handler deferred it here;
   *     {@link Outcome.Reason#BUSY} if another process has claimed it, or an attempt failed or was
   *     deferred there
   * @param dueIn the time until it can be tried; positive
   */
  public record WaitingMessage(
      MessageKey message, String coordinates, Outcome.Reason reason, Duration dueIn) {}
}
