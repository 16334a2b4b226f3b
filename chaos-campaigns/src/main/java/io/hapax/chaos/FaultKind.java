package io.hapax.chaos;

import java.util.Locale;

/** A kind of fault that hits a consumer, or all members of a group. */
enum FaultKind {
  KILL("kills of a consumer with a batch in flight"),
  /** SIGSTOP of a member for longer than its lease and its session. */
  STOP("consumers that are stopped until another one has taken over"),
  STORE_RESTART("kills and restarts of the store under a consumer"),
  BROKER_RESTART("kills and restarts of the broker"),
  /** All members end with messages in flight, and others read again from offset 0. */
  RESET("resets of the group's offsets to 0 while it has messages in flight; with --members"),
  /** A further member joins, and then another one leaves, both under load. */
  SCALING("times that a further member joins the group and then another one leaves; with"
      + " --members");

  private final String counted;

  FaultKind(String counted) {
    this.counted = counted;
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  String option() {
    return "--" + title().replace(' ', '-') + 's';
  }

  String help() {
    return "The number of " + counted + " (${DEFAULT-VALUE}).";
  }

  /** Returns whether the member holds its batch until the fault has happened. */
  boolean holdsBatch() {
    return this == STOP || this == STORE_RESTART;
  }
}
