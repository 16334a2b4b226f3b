package io.hapax;

import io.hapax.mark.Mark;
import java.util.Optional;

/**
 * The result of a count of stale marks of a consumer, with those of all its instances.
 *
 * <p>A stale mark is usually harmless: the next delivery of its message takes it over. A stale mark
 * that stays needs an operator: its message was skipped by hand, or its partition has no consumer.
 *
 * @param stale the number of PROCESSING marks with an expired lease: their owners vanished, and no
 *     other owner has claimed them
 * @param inDoubt the number of PROCESSING and RETRY marks whose messages may have taken effect;
 *     such a mark may be stale as well
 * @param complete false if the count stopped at its limit: there may be more marks
 * @param oldest the counted stale mark that was claimed first; {@code claim().origin()} has its
 *     owner and the coordinates of its message
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
      throw new IllegalArgumentException("oldest is " + oldest + " but stale is " + stale
          + ": either both must be set or neither");
    }
  }
}
