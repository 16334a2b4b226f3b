package io.hapax;

import io.hapax.health.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a receiver is, at one moment: for a health check, and for people. It costs no call to the
 * store. What an adapter knows of its broker is not part of it; ask the adapter's
 * {@code problems()} for both.
 *
 * @param storeReachable false from a call to the store that failed until one that was answered
 * @param problems why messages do not move, by kind, the oldest of each kind first; empty while all
 *     is well. A store that is not reachable is among them. Of more than twenty the last says how
 *     many more there are
 * @param sinceSettled how long ago the store last took the end of a message: its DONE, dead, retry
 *     or release. A receiver with work whose age grows is stuck; one without work has a growing age
 *     too. Empty until the first
 * @param staleMarks what the latest count of stale marks found; empty unless they are counted
 *     ({@link ReceiverBuilder#countStaleMarks}), before the first count, and after one that failed
 * @param oldestUnfinished how long ago the oldest of the messages was handed in that have no
 *     outcome yet: they wait for the store or for their turn, run, or are being settled. Empty if
 *     there are none
 * @param waiting messages that hold back their lanes until they can be tried again: their backoff
 *     has not passed, or another process has claimed them. At most 100, the latest due first. They
 *     are not problems
 */
public record ReceiverHealth(
    boolean storeReachable,
    List<Problem> problems,
    Optional<Duration> sinceSettled,
    Optional<StaleMarks> staleMarks,
    Optional<Duration> oldestUnfinished,
    List<WaitingMessage> waiting) {

  /**
   * Copies the lists.
   *
   * @param storeReachable any
   * @param problems any
   * @param sinceSettled any
   * @param staleMarks any
   * @param oldestUnfinished any
   * @param waiting any
   */
  public ReceiverHealth {
    problems = List.copyOf(problems);
    waiting = List.copyOf(waiting);
  }

  /**
   * Whether all is well.
   *
   * @return whether there are no problems
   */
  public boolean well() {
    return problems.isEmpty();
  }
}
