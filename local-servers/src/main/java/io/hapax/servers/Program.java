package io.hapax.servers;

import java.util.Optional;

/** What {@link Lifecycle} must know of a kind of server. */
interface Program {

  /** What it is and where it answers, for a message. */
  String name();

  /** Starts the guarded process, on data that are there already or on new ones. */
  Process launch();

  /**
   * Asks the server once, within a few seconds. Empty if it answered, else what stood against it.
   */
  Optional<Throwable> probe();

  /**
   * The name of the signal that ends the server: in good order, or as fast as its leftovers outside
   * its directory allow. One that leaves nothing there and whose data nobody wants may be killed.
   */
  default String endSignal(boolean dataAreKept) {
    return dataAreKept ? "TERM" : "KILL";
  }

  /**
   * Gives back what a killed server left outside its directory. Called once, when the server is
   * gone for good. Most leave nothing.
   */
  default void forget() {}
}
