package io.hapax.console.trial;

import java.util.Arrays;
import java.util.Optional;

/** The actions of a demo, in the order of their buttons. Each has its texts in both languages. */
public enum TrialAction {
  /** Kills a process of each lane while it works. */
  KILL,
  /** Freezes a process of each lane for longer than its lease and its session. */
  FREEZE,
  /** Publishes orders several times. */
  STORM,
  /** Places orders for which the payment gateway charges, but answers too late. */
  GATEWAY_TIMEOUT,
  /** Stops the store for some seconds while orders are in flight. */
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
