package io.hapax.testkit;

/** What the work of a test throws. */
final class WorkFailedException extends Exception {

  private static final long serialVersionUID = 1L;
}
