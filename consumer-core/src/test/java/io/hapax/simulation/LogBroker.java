package io.hapax.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Partitions of a log, each read by one process at a time from the offset committed last. One that
 * is not heard of loses its partitions without being asked; it notices when it polls again.
 */
final class LogBroker implements Broker {

  private static final Duration SESSION = Duration.ofSeconds(8);
  private static final Duration PATIENCE_WITH_LEAVERS = Duration.ofSeconds(6);

  /** A partition, and the process that reads it. */
  static final class Partition {
    private final int number;
    private final List<Post> log = new ArrayList<>();
    private int committed;
    private int epoch;
    private Optional<ConsumerProcess> reader = Optional.empty();
    private Optional<ConsumerProcess> next = Optional.empty();

    Partition(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    int committed() {
      return committed;
    }
  }

  /**
   * A partition in the hands of a process.
   *
   * @param epoch which assignment it is
   * @param leaving whether it is to be given back
   */
  record Assignment(Partition partition, int epoch, boolean leaving) {}

  private final World world;
  private final Dice dice;
  private final List<Partition> partitions = new ArrayList<>();
  private final Map<Integer, Partition> placeOf = new HashMap<>();
  private final Map<ConsumerProcess, Long> members = new LinkedHashMap<>();

  LogBroker(World world, Dice dice, int count) {
    this.world = world;
    this.dice = dice;
    for (int i = 0; i < count; i++) {
      partitions.add(new Partition(i));
    }
  }

  @Override
  public void produce(Post post) {
    Partition partition = dice.oneOf(partitions);
    partition.log.add(post);
    placeOf.put(post.serial(), partition);
  }

  @Override
  public Adapter adapter(ConsumerProcess process) {
    return new LogAdapter(process, this);
  }

  /** Receives a heartbeat of a process, and returns its assignments. */
  List<Assignment> heartbeat(ConsumerProcess process) {
    boolean joins = !members.containsKey(process);
    members.put(process, world.time().now());
    if (joins) {
      assign();
    }
    long lateBefore = world.time().now() - SESSION.toNanos();
    List<ConsumerProcess> silent = members.entrySet().stream()
        .filter(it -> it.getValue() < lateBefore)
        .map(Map.Entry::getKey)
        .toList();
    silent.forEach(this::left);
    return partitions.stream()
        .filter(it -> it.reader.equals(Optional.of(process)))
        .map(it -> new Assignment(it, it.epoch, it.next.isPresent()))
        .toList();
  }

  /** What a process reads from an offset on. */
  List<Post> read(Partition partition, int from, int limit) {
    return partition.log.subList(from, Math.min(partition.log.size(), from + limit));
  }

  /** Refused if the assignment has ended. */
  void commit(Partition partition, int epoch, int offset) {
    if (partition.epoch != epoch) {
      return;
    }
    for (int i = partition.committed; i < offset; i++) {
      world.acknowledged(partition.log.get(i));
    }
    partition.committed = offset;
  }

  /** A process gives back what it was asked for. */
  void giveBack(Partition partition, int epoch) {
    if (partition.epoch == epoch) {
      handOver(partition);
    }
  }

  @Override
  public void rebalance() {
    if (!members.isEmpty()) {
      world.witness().tally.rebalances++;
      assign();
    }
  }

  private void assign() {
    List<ConsumerProcess> all = List.copyOf(members.keySet());
    for (Partition partition : partitions) {
      Optional<ConsumerProcess> chosen = Optional.of(dice.oneOf(all));
      if (partition.reader.equals(chosen)) {
        partition.next = Optional.empty();
        continue;
      }
      partition.next = chosen;
      if (partition.reader.isEmpty() || dice.chance(0.3)) {
        handOver(partition);
      } else {
        int epoch = partition.epoch;
        world.time().after(PATIENCE_WITH_LEAVERS, world.life(), () -> giveBack(partition, epoch));
      }
    }
  }

  private void handOver(Partition partition) {
    if (partition.next.isPresent()) {
      world
          .witness()
          .note(() -> "partition " + partition.number + " goes from " + partition.reader + " to "
              + partition.next + " at " + partition.committed);
      partition.reader = partition.next;
      partition.next = Optional.empty();
      partition.epoch++;
    }
  }

  @Override
  public void left(ConsumerProcess process) {
    if (members.remove(process) == null) {
      return;
    }
    for (Partition partition : partitions) {
      if (partition.next.equals(Optional.of(process))) {
        partition.next = Optional.empty();
      }
      if (partition.reader.equals(Optional.of(process))) {
        partition.reader = Optional.empty();
        partition.epoch++;
      }
    }
    if (!members.isEmpty()) {
      assign();
    }
  }

  @Override
  public Collection<Post> before(Post post) {
    List<Post> log = Optional.ofNullable(placeOf.get(post.serial())).orElseThrow().log;
    return log.subList(0, log.indexOf(post));
  }

  @Override
  public boolean atRest() {
    return partitions.stream().allMatch(it -> it.committed == it.log.size());
  }

  @Override
  public String open() {
    return partitions.stream()
        .map(it -> it.number + ": " + it.log.subList(it.committed, it.log.size()) + " read by "
            + it.reader)
        .toList()
        .toString();
  }
}
