package io.hapax.console.trial;

import java.util.List;

/**
 * What one lane has made of orders.
 *
 * @param orders the number of orders that were placed
 * @param waiting the number of orders that it has not booked yet
 * @param repeated the number of orders that it booked more than once
 * @param explained the number of orders among these whose repeats counted events explain
 */
public record TrialTotals(long orders, long waiting, long repeated, long explained) {

  /**
   * {@return the totals of a lane}
   *
   * @param lane the lane
   * @param orders the orders
   */
  public static TrialTotals of(TrialLane lane, List<TrialOrder> orders) {
    return new TrialTotals(
        orders.size(),
        orders.stream().filter(it -> it.booked(lane) == 0).count(),
        orders.stream().filter(it -> it.booked(lane) > 1).count(),
        orders.stream().filter(it -> it.booked(lane) > 1 && it.explained(lane)).count());
  }

  /** {@return how good that is, if nothing follows} */
  public TrialLevel level() {
    if (repeated == 0) {
      return TrialLevel.GOOD;
    }
    return repeated == explained ? TrialLevel.EXPLAINED : TrialLevel.BAD;
  }
}
