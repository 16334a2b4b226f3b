package io.hapax.chaos;

import io.hapax.demo.OrderChannel;

/**
 * The consumer group of a run.
 *
 * @param members the number of processes that consume at once
 * @param partitions the number of partitions of the topic
 * @param protocol the group protocol of Kafka
 */
record GroupPlan(int members, int partitions, GroupProtocol protocol) {

  /** One process at a time, on a topic of the default size. */
  static final GroupPlan ALONE = new GroupPlan(1, OrderChannel.PARTITIONS, GroupProtocol.CLASSIC);

  private static final int MOST_MEMBERS = 10;
  private static final int MOST_PARTITIONS = 100;

  GroupPlan {
    ChaosSettings.inRange("--members", members, 1, MOST_MEMBERS);
    ChaosSettings.inRange("--partitions", partitions, 1, MOST_PARTITIONS);
  }

  /** Returns whether only one process consumes at a time. */
  boolean alone() {
    return members == 1;
  }
}
