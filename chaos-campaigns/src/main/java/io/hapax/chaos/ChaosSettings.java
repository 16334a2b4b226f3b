package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ChaosSettings {

  private static final int MOST = 1_000;
  private static final int MOST_ORDERS = 10_000_000;
  private static final int POISON = 5;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The number of distinct orders (${DEFAULT-VALUE}).")
  int orders;

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "The share of orders that the producer sends twice (${DEFAULT-VALUE}).")
  double duplicates;

  @Option(
      names = "--poison",
      paramLabel = "N",
      description =
          "The number of further messages that never take effect and must be dead-lettered: an"
              + " order that always fails, one that cannot be read, one without an id ("
              + POISON
              + "; 0 with --naive).")
  private @Nullable Integer poison;

  /** The number of faults of each kind. Scaling and resets of the offsets count, too. */
  final Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "1",
      description = "Kafka: the number of consumers that run at once (${DEFAULT-VALUE}).")
  private int members;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "" + OrderChannel.PARTITIONS,
      description = "Kafka: the number of partitions of the topic (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--protocol",
      paramLabel = "PROTOCOL",
      defaultValue = "classic",
      description = "Kafka: the group protocol, ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private GroupPlan.Protocol protocol;

  @Option(
      names = "--replays",
      paramLabel = "R",
      defaultValue = "1",
      description = "The number of replays of the whole topic (${DEFAULT-VALUE}).")
  int replays;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "${COMPLETION-CANDIDATES} (the first one that the store supports).")
  private @Nullable Mode mode;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "h2",
      description = {
        "The store of the marks: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). redis and"
            + " redis-cluster are leased only, with the ledger in PostgreSQL."
      })
  CampaignStore store;

  @Option(
      names = "--broker",
      paramLabel = "BROKER",
      defaultValue = "kafka",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  BrokerKind broker;

  @Option(
      names = "--orderly",
      description = "Reads RocketMQ's queues in order, as Kafka's partitions always are.")
  boolean orderly;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Determines the orders and the kills (${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--naive",
      description = "Uses a plain at-least-once consumer instead of Hapax, which fails.")
  boolean naive;

  @Option(
      names = "--spring",
      description =
          "Uses a listener of Spring Kafka or rocketmq-spring with @Idempotent, in Spring Boot.")
  boolean spring;

  @Option(
      names = "--no-scenes",
      description = "Leaves out the scenes: an order that is submitted twice, stock, a payment,"
          + " events out of order, and a slow SMS.")
  private boolean noScenes;

  void check() {
    inRange("--orders", orders, 1, MOST_ORDERS);
    inRange("--poison", poison(), 0, MOST);
    inRange("--replays", replays, 0, MOST);
    for (FaultKind fault : FaultKind.values()) {
      inRange(fault.option(), asked(fault), 0, MOST);
    }
    refuseIf(
        !(duplicates >= 0 && duplicates <= 1),
        "--duplicates is " + duplicates + " but must be between 0 and 1");
    refuseIf(
        orderly && broker.alwaysInOrder(),
        "--orderly must not be given with --broker " + broker
            + ": a partition is always read in order");
    checkMode();
    String withStore = " with --store " + store;
    if (!store.hasServer()) {
      mustBeZero(FaultKind.STORE_RESTART, withStore + ": it has no server");
      mustBeZero(
          FaultKind.STOP,
          withStore + ": its file belongs to one process, so no other process could take over");
    }
    refuseIf(
        naive && !store.marksInShop(),
        "--store is " + store
            + " but must be h2, postgres or mariadb with --naive: it has no marks");
    GroupPlan group = group();
    refuseIf(
        broker != BrokerKind.KAFKA && !group.equals(GroupPlan.ALONE),
        "--members, --partitions and --protocol must not be given with --broker " + broker
            + ": they are settings of Kafka");
    if (group.alone()) {
      mustBeZero(FaultKind.RESET, " without --members: it needs a group");
      mustBeZero(FaultKind.SCALING, " without --members: it needs a group");
      if (store == CampaignStore.H2_SERVER) {
        mustBeZero(
            FaultKind.STOP,
            withStore + " and one member: H2 ends no transaction of a stopped process, so no other"
                + " process could take over");
      }
    } else {
      checkMembers(group);
    }
  }

  void checkMode() {
    refuseIf(
        !store.modes().contains(mode()),
        "--mode is " + mode() + " but must be " + store.modes().get(0) + " with --store " + store
            + ": its marks cannot be in the transaction of the effects");
  }

  private void checkMembers(GroupPlan group) {
    String mustBeOne = "--members is " + members + " but must be 1 with --store " + store;
    refuseIf(!store.hasServer(), mustBeOne + ": its file belongs to one process");
    refuseIf(
        mode() == Mode.LEASED && !store.namesSessions(),
        mustBeOne + " --mode leased: its sessions have no names, so nothing shows what a killed"
            + " member had in doubt");
    int most = members + (asked(FaultKind.SCALING) > 0 ? 1 : 0);
    refuseIf(
        group.partitions() < most,
        "--partitions is " + partitions + " but must be at least " + most
            + ", one for each member");
  }

  private void mustBeZero(FaultKind fault, String because) {
    int asked = asked(fault);
    refuseIf(asked > 0, fault.option() + " is " + asked + " but must be 0" + because);
  }

  static void inRange(String option, int value, int least, int most) {
    refuseIf(
        value < least || value > most,
        option + " is " + value + " but must be between " + least + " and " + most);
  }

  static void refuseIf(boolean wrong, String problem) {
    if (wrong) {
      throw new IllegalArgumentException(problem);
    }
  }

  int asked(FaultKind fault) {
    return faults.getOrDefault(fault, 0);
  }

  int poison() {
    return poison != null ? poison : naive ? 0 : POISON;
  }

  Mode mode() {
    return mode == null ? store.modes().get(0) : mode;
  }

  GroupPlan group() {
    return new GroupPlan(members, partitions, protocol);
  }

  boolean scenes() {
    return !noScenes;
  }

  String title() {
    return naive
        ? "naive, at least once"
        : "Hapax, " + mode() + (orderly ? ", orderly" : "") + (spring ? ", Spring" : "")
            + (members == 1 ? "" : ", " + members + " members");
  }

  /** Returns whether the orders of a customer must take effect one after the other. */
  boolean inOrder() {
    return orderly || (!naive && broker.alwaysInOrder());
  }

  MarkIds markIds() {
    return spring ? MarkIds.WITHIN_TOPIC : MarkIds.PLAIN;
  }
}
