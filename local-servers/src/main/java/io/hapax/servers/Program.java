package io.hapax.servers;

import java.util.Optional;

/** The part of a kind of server that {@link Lifecycle} needs. */
interface Program {

  /** Returns kind and address, for a message. */
  String name();

  /** Starts the guarded process on existing or new data. */
  Process launch();

  /** Probes the server once, within a few seconds. Empty if it answered, otherwise the reason. */
  Optional<Throwable> probe();

  /**
   * Returns the name of the signal that ends the server: normally, or as fast as the resources
   * outside of its directory permit. A server without such resources may be killed if its data are
   * not kept.
   */
  default String endSignal(boolean dataAreKept) {
    return dataAreKept ? "TERM" : "KILL";
  }

  /**
   * Releases the resources that a killed server left outside of its directory. Called once, after
   * the final end of the server. Most kinds leave none.
   */
  default void forget() {}
}
