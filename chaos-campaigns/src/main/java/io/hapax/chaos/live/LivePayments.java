package io.hapax.chaos.live;

import io.hapax.console.trial.TrialState;
import java.io.IOException;
import java.util.Optional;

/** The payments of the live demo. Thread-safe. */
public interface LivePayments {

  /**
   * Places orders for which the payment gateway charges, but answers later than its client waits.
   *
   * @param count the number of orders
   * @throws Exception if the broker does not store them, or a gateway cannot be started
   */
  void timeOut(int count) throws Exception;

  /**
   * Reads the ledgers of the gateways.
   *
   * @return the charges; empty before the first order
   * @throws IOException if a gateway does not answer
   * @throws InterruptedException if the thread is interrupted
   */
  Optional<TrialState.Charges> charges() throws IOException, InterruptedException;
}
