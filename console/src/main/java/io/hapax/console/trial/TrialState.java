package io.hapax.console.trial;

import java.util.List;
import java.util.Optional;

/**
 * The current state of a demo.
 *
 * @param storeRuns whether the store runs
 * @param consumers the consumers
 * @param effects the effects; empty while the ledger cannot be read
 * @param charges the charges; empty until the first order was paid
 */
public record TrialState(
    boolean storeRuns,
    List<TrialConsumer> consumers,
    Optional<Effects> effects,
    Optional<Charges> charges) {

  /** The maximum number of listed orders. */
  public static final int LISTED = 100;

  /**
   * Copies the list.
   *
   * @param storeRuns whether the store runs
   * @param consumers the consumers
   * @param effects the effects
   * @param charges the charges
   */
  public TrialState {
    consumers = List.copyOf(consumers);
  }

  /**
   * The charges in the ledgers of the payment gateways, as the effects of paid orders.
   *
   * @param hapax those with Hapax
   * @param naive those with the naive consumer
   */
  public record Charges(TrialTotals hapax, TrialTotals naive) {}

  /**
   * The effects of the orders.
   *
   * @param hapax those with Hapax
   * @param naive those with the naive consumer
   * @param newest the newest orders, newest first
   */
  public record Effects(TrialTotals hapax, TrialTotals naive, List<TrialOrder> newest) {

    /**
     * Copies the list, up to {@link #LISTED} orders.
     *
     * @param hapax those with Hapax
     * @param naive those with the naive consumer
     * @param newest the newest orders
     */
    public Effects {
      newest = List.copyOf(newest.subList(0, Math.min(LISTED, newest.size())));
    }
  }
}
