package io.hapax.console.view;

/** The views, in the order of the navigation. */
public enum View {
  /** The current state. */
  NOW("now"),
  /** One message id. */
  ID("id"),
  /** Marks in doubt and stale marks. */
  DOUBT("doubt"),
  /** Dead letters by failure. */
  DEAD_LETTERS("deadletters"),
  /** Duplicates and their age. */
  DUPLICATES("duplicates"),
  /** Ids with two payloads. */
  CONFLICTS("conflicts"),
  /** Audit, replay and generation. */
  REPLAY("replay"),
  /** Settings, versions and the action log. */
  CONSUMERS("consumers"),
  /** A demo that can be disturbed; only if the console has one. */
  TRIAL("trial");

  private final String path;

  View(String path) {
    this.path = path;
  }

  /** {@return the name that the address, the template and the keys of the texts use} */
  public String path() {
    return path;
  }
}
