package io.hapax.chaos;

/** A broker that shows the members of the group. */
interface GroupBroker extends OrderBroker {

  /** Returns whether the group has this number of members, and each of them has a partition. */
  boolean isComplete(int members) throws InterruptedException;
}
