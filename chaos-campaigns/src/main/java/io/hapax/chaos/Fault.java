package io.hapax.chaos;

import java.util.function.ToIntFunction;

/** A kind of fault that hits a consumer, or all members of a group. */
enum Fault {
  /** SIGKILL of a member. Another process takes its place. */
  KILL("kill", FaultPlan::kills),
  /** SIGSTOP of a member for longer than its lease and its session. */
  STOP("stop", FaultPlan::stops),
  /** SIGKILL and restart of the store under all members. */
  STORE_RESTART("store restart", FaultPlan::storeRestarts),
  /** SIGKILL and restart of the broker under all members. */
  BROKER_RESTART("broker restart", FaultPlan::brokerRestarts),
  /** All members end with messages in flight, and others read again from offset 0. */
  RESET("reset", FaultPlan::resets),
  /** A further member joins, and then another one leaves, both under load. */
  SCALING("scaling", FaultPlan::scalings);

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // method references without a state
  private final ToIntFunction<FaultPlan> asked;

  Fault(String title, ToIntFunction<FaultPlan> asked) {
    this.title = title;
    this.asked = asked;
  }

  /** Returns the name under which the log counts it. */
  String title() {
    return title;
  }

  /** Returns whether the member holds its batch until the fault has happened. */
  boolean holdsBatch() {
    return this == STOP || this == STORE_RESTART;
  }

  /** Returns how many of them a plan has. */
  int asked(FaultPlan plan) {
    return asked.applyAsInt(plan);
  }
}
