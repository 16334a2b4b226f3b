package io.hapax;

import io.hapax.mark.Mark;
import java.util.Optional;

/**
 * What a count of stale marks found for a consumer, whichever of its instances left them behind.
 *
 * <p>A stale mark by itself is nothing to worry about: the next delivery of its message takes it
 * over. One that stays is, because its message does not come back: it was skipped by hand, or lies
 * in a partition that nobody reads.
 *
 * @param stale how many marks are PROCESSING and their lease is over: the owner vanished and the
 *     message has not come back yet
 * @param inDoubt how many marks are PROCESSING or RETRY and nobody knows whether an earlier attempt
 *     took effect; a mark may be stale as well
 * @param complete false if the count stopped at its limit: there are at least as many
 * @param oldest of the stale marks that were counted, the one that was claimed first. It says where
 *     its message lies: {@code claim().origin().coordinates()}, and who held it:
 *     {@code claim().origin().owner()}
 */
public record StaleMarks(int stale, int inDoubt, boolean complete, Optional<Mark> oldest) {

  /**
   * Checks the numbers.
   *
   * @param stale not negative
   * @param inDoubt not negative
   * @param complete any
   * @param oldest present if and only if there is a stale mark
   */
  public StaleMarks {
    if (stale < 0 || inDoubt < 0) {
      throw new IllegalArgumentException(
          "stale is " + stale + " and inDoubt is " + inDoubt + " but neither may be negative");
    }
    if (oldest.isPresent() != stale > 0) {
      throw new IllegalArgumentException(
          "oldest is " + oldest + " but stale is " + stale + ": one goes with the other");
    }
  }
}
