package io.hapax.metrics;

/** How a call went, as its timer tells it apart. */
enum CallResult {
  OK,
  FAILED;

  static CallResult failed(boolean failed) {
    return failed ? FAILED : OK;
  }
}
