package io.hapax.metrics;

/** The tag {@code result} of a timer. */
enum CallResult {
  OK,
  FAILED;

  static CallResult failed(boolean failed) {
    return failed ? FAILED : OK;
  }
}
