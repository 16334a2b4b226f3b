package io.hapax.console.trial;

import java.util.List;

/**
 * The orders of a demo.
 *
 * @param hapax the totals with Hapax
 * @param loop the totals of the plain loop
 * @param newest the newest orders, oldest first
 */
public record TrialOrders(TrialTotals hapax, TrialTotals loop, List<TrialOrder> newest) {

  /** The maximum number of listed orders. */
  public static final int LISTED = 120;

  /** The list begins at a multiple of this number, so that most orders keep their places in it. */
  private static final int STEP = 20;

  /**
   * {@return the totals of all orders, and a list of the newest}
   *
   * @param all all orders, oldest first
   */
  public static TrialOrders of(List<TrialOrder> all) {
    int tooMany = Math.max(0, all.size() - LISTED);
    return new TrialOrders(
        TrialTotals.of(TrialLane.HAPAX, all),
        TrialTotals.of(TrialLane.LOOP, all),
        List.copyOf(all.subList((tooMany + STEP - 1) / STEP * STEP, all.size())));
  }

  /**
   * {@return the totals of a lane}
   *
   * @param lane the lane
   */
  public TrialTotals totals(TrialLane lane) {
    return lane == TrialLane.HAPAX ? hapax : loop;
  }
}
