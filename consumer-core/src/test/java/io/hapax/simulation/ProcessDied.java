package io.hapax.simulation;

/** Ends what a dead process was doing; it is no exception that anybody may answer. */
final class ProcessDied extends Error {

  private static final long serialVersionUID = 1L;

  ProcessDied() {
    super("the process is dead", null, false, false);
  }
}
