package io.hapax.testkit;

/** The exception that the work of a test throws. */
final class WorkFailedException extends Exception {

  private static final long serialVersionUID = 1L;
}
