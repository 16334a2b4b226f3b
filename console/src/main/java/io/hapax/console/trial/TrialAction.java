package io.hapax.console.trial;

import java.util.Arrays;
import java.util.Optional;

/** The actions of a demo. Each has its texts in both languages. */
public enum TrialAction {
  /** Places one order. */
  PLACE_1,
  /** Places a hundred orders. */
  PLACE_100,
  /** Publishes the last hundred orders again. */
  STORM,
  /** Kills a consumer of each kind while it works. */
  KILL,
  /** Freezes a consumer of each kind for longer than its lease and its session. */
  FREEZE,
  /** Places orders for which the payment gateway charges, but answers too late. */
  GATEWAY_TIMEOUT,
  /** Stops the store for some seconds. */
  STOP_STORE,
  /** Reads the topic again from its beginning. */
  REPLAY;

  /**
   * {@return the action with a name; empty if there is none}
   *
   * @param name the name of the constant
   */
  public static Optional<TrialAction> named(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equals(name)).findFirst();
  }
}
