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
  RUN_ONCE("runOnce"),
  /** Marks ids that are done, in one transaction, as without a look-up. */
  KNOWN_ONCE("runOnce of known ids"),
  /** Looks up ids that are done, before a transaction. */
  LOOK_UP("look-up of known ids");

  private final String title;

  Operation(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
