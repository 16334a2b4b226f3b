package io.hapax.chaos;

import java.util.Locale;

/** A kind of fault that hits a consumer, or all members of a group. */
enum Fault {
  /** SIGKILL of a member. Another process takes its place. */
  KILL,
  /** SIGSTOP of a member for longer than its lease and its session. */
  STOP,
  /** SIGKILL and restart of the store under all members. */
  STORE_RESTART,
  /** SIGKILL and restart of the broker under all members. */
  BROKER_RESTART,
  /** All members end with messages in flight, and others read again from offset 0. */
  RESET,
  /** A further member joins, and then another one leaves, both under load. */
  SCALING;

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  String option() {
    return "--" + title().replace(' ', '-') + 's';
  }

  /** Returns whether the member holds its batch until the fault has happened. */
  boolean holdsBatch() {
    return this == STOP || this == STORE_RESTART;
  }
}
