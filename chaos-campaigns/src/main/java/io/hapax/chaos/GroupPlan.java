package io.hapax.chaos;

import io.hapax.demo.OrderChannel;

record GroupPlan(int members, int partitions, GroupProtocol protocol) {

  /** One process at a time, on a topic of the default size. */
  static final GroupPlan ALONE = new GroupPlan(1, OrderChannel.PARTITIONS, GroupProtocol.CLASSIC);

  private static final int MOST_MEMBERS = 10;
  private static final int MOST_PARTITIONS = 100;

  GroupPlan {
    ChaosSettings.inRange("--members", members, 1, MOST_MEMBERS);
    ChaosSettings.inRange("--partitions", partitions, 1, MOST_PARTITIONS);
  }

  boolean alone() {
    return members == 1;
  }
}
