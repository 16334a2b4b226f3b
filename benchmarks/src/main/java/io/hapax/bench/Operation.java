package io.hapax.bench;

/** The measured operations of a store. */
enum Operation {
  /** Claims fresh ids and settles them as done. */
  FRESH("claim + settle"),
  /** The claims alone of the same fresh ids. */
  CLAIM("  of that the claim"),
  /** Claims ids that are done. */
  KNOWN("claim of known ids"),
  /** Marks fresh ids done in one transaction with an effect for each. */
  RUN_ONCE("runOnce");

  private final String title;

  Operation(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
