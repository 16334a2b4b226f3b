package io.hapax.bench;

/** What is measured of a store. */
enum Operation {
  /** Fresh ids are claimed, and settled as done. */
  FRESH("claim + settle"),
  /** The claims alone of the same fresh ids. */
  CLAIM("  of that the claim"),
  /** Ids that are done already are claimed. */
  KNOWN("claim of known ids"),
  /** Fresh ids are marked done in one transaction with an effect for each. */
  RUN_ONCE("runOnce");

  private final String title;

  Operation(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
