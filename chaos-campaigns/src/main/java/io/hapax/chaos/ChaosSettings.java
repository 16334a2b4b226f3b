package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;

/**
 * Settings of a run.
 *
 * @param orders the number of distinct orders
 * @param duplicates the share of them that the producer sends twice, 0 to 1
 * @param poison the number of messages that never take effect
 * @param faults the faults of the run
 * @param replays how often the topic is read again from its beginning
 * @param mode transactional or leased
 * @param broker the broker that carries the orders
 * @param group the consumer group
 * @param orderly whether RocketMQ's queues are read in order; Kafka's partitions always are
 * @param store the store of the marks
 * @param seed determines the orders, and the moments of the kills as far as a seed can
 * @param naive whether a plain at-least-once consumer replaces Hapax
 * @param spring whether the consumer is a listener of Spring
 * @param scenes whether the run plays the scenes at the end
 */
record ChaosSettings(
    int orders,
    double duplicates,
    int poison,
    FaultPlan faults,
    int replays,
    Mode mode,
    BrokerKind broker,
    GroupPlan group,
    boolean orderly,
    StoreKind store,
    long seed,
    boolean naive,
    boolean spring,
    boolean scenes) {

  private static final int MOST_POISON = 1_000;

  ChaosSettings {
    inRange("--orders", orders, 1, 10_000_000);
    inRange("--poison", poison, 0, MOST_POISON);
    inRange("--replays", replays, 0, 1_000);
    if (!(duplicates >= 0 && duplicates <= 1)) {
      throw new IllegalArgumentException(
          "--duplicates is " + duplicates + " but must be between 0 and 1");
    }
    if (orderly && (naive || broker.alwaysInOrder())) {
      throw new IllegalArgumentException("--orderly must not be given with "
          + (naive ? "--naive" : "--broker " + broker + ": a partition is always read in order"));
    }
    if (!store.modes().contains(mode)) {
      throw new IllegalArgumentException("--mode is " + mode + " but must be "
          + store.modes().get(0) + " with --store " + store
          + ": its marks cannot be in the transaction of the effects");
    }
    if (spring && naive) {
      throw new IllegalArgumentException(
          "--spring must not be given with --naive: its listener runs with Hapax");
    }
    if (faults.storeRestarts() > 0 && (naive || !store.hasServer())) {
      throw new IllegalArgumentException("--store-restarts is " + faults.storeRestarts()
          + " but must be 0 with " + (naive ? "--naive" : "--store " + store) + ": "
          + (naive ? "that consumer does not survive one" : "it has no server"));
    }
    if (faults.stops() > 0 && store == StoreKind.H2_SERVER && group.alone()) {
      throw new IllegalArgumentException("--stops is " + faults.stops()
          + " but must be 0 with --store h2-server and one member: H2 ends no transaction of a"
          + " stopped process, so no other process could take over");
    }
    if (faults.stops() > 0 && (naive || store == StoreKind.H2)) {
      throw new IllegalArgumentException("--stops is " + faults.stops() + " but must be 0 with "
          + (naive ? "--naive" : "--store " + store) + ": "
          + (naive
              ? "that consumer does not survive one"
              : "its file belongs to one process, so no other process could take over"));
    }
    checkGroup(group, broker);
    checkMembers(group, faults, mode, store, naive);
    if (naive && faults.brokerRestarts() > 0) {
      throw new IllegalArgumentException("--broker-restarts is " + faults.brokerRestarts()
          + " but must be 0 with --naive: that consumer does not survive one");
    }
    if (naive && poison > 0) {
      throw new IllegalArgumentException("--poison is " + poison
          + " but must be 0 with --naive: that consumer does not survive any");
    }
    if (naive && !store.marksInShop()) {
      throw new IllegalArgumentException("--store is " + store
          + " but must be h2, postgres or mariadb with --naive: it has no marks");
    }
  }

  private static void checkGroup(GroupPlan group, BrokerKind broker) {
    if (broker == BrokerKind.KAFKA) {
      return;
    }
    String with = " with --broker " + broker;
    if (group.partitions() != OrderChannel.PARTITIONS) {
      throw new IllegalArgumentException("--partitions is " + group.partitions() + " but must be "
          + OrderChannel.PARTITIONS + with);
    }
    if (group.protocol() != GroupProtocol.CLASSIC) {
      throw new IllegalArgumentException(
          "--protocol must not be given" + with + ": it is a setting of Kafka");
    }
    if (!group.alone()) {
      throw new IllegalArgumentException("--members is " + group.members() + " but must be 1" + with
          + ": only Kafka shows when a group is complete");
    }
  }

  private static void checkMembers(
      GroupPlan group, FaultPlan faults, Mode mode, StoreKind store, boolean naive) {
    if (group.alone()) {
      onlyInGroups("--resets", faults.resets());
      onlyInGroups("--scalings", faults.scalings());
      return;
    }
    String members = "--members is " + group.members() + " but must be ";
    if (naive) {
      throw new IllegalArgumentException(
          members + "1 with --naive: that consumer does not survive a fault of the group");
    }
    if (!store.hasServer()) {
      throw new IllegalArgumentException(
          members + "1 with --store " + store + ": its file belongs to one process");
    }
    if (mode == Mode.LEASED && !store.namesSessions()) {
      throw new IllegalArgumentException(members + "1 with --store " + store
          + " --mode leased: its sessions have no names, so nothing shows what a killed member had"
          + " in doubt");
    }
    int most = group.members() + (faults.scalings() > 0 ? 1 : 0);
    if (group.partitions() < most) {
      throw new IllegalArgumentException("--partitions is " + group.partitions()
          + " but must be at least " + most + ", one for each member");
    }
  }

  private static void onlyInGroups(String option, int value) {
    if (value > 0) {
      throw new IllegalArgumentException(
          option + " is " + value + " but must be 0 without --members: it needs a group");
    }
  }

  static void inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + " but must be between " + least + " and " + most);
    }
  }

  /** Returns the title of the table. */
  String title() {
    return naive
        ? "naive, at least once"
        : "Hapax, " + mode + (orderly ? ", orderly" : "") + (spring ? ", Spring" : "")
            + (group.alone() ? "" : ", " + group.members() + " members");
  }

  /** Returns whether the orders of a customer must take effect one after the other. */
  boolean inOrder() {
    return orderly || (!naive && broker.alwaysInOrder());
  }

  /** Returns how the marks of orders are named. */
  MarkIds markIds() {
    return spring ? MarkIds.WITHIN_TOPIC : MarkIds.PLAIN;
  }

  /** Returns the guarantee that the ledger is checked against. */
  Guarantee promise() {
    return naive || mode == Mode.TRANSACTIONAL
        ? Guarantee.EXACTLY_ONCE
        : Guarantee.REPEATS_EXPLAINED;
  }
}
