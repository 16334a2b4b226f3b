package io.hapax.simulation;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.simulation.Plan.Fault;
import io.hapax.simulation.Violation.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A broker, a store and a few consumer processes, from one seed. For a while faults happen; then
 * they stop, and everything has to come to rest.
 */
final class World {

  static final String SCOPE = "orders";

  private static final Duration UNTIL_REST = Duration.ofMinutes(3);

  /** What may have to be waited for: a broker that misses a reader, a lease, a backoff. */
  private static final Duration LONGEST_STILLNESS = Duration.ofSeconds(45);

  private static final long MOST_STEPS = 300_000;

  private final long seed;
  private final Set<Mistake> mistakes;
  private final Dice dice;
  private final Plan plan;
  private final VirtualTime time;
  private final Life life = new Life();
  private final Witness witness;
  private final Network network;
  private final SimulatedStore store;
  private final Broker broker;
  private final Set<String> produced = new LinkedHashSet<>();
  private final Set<String> redriven = new HashSet<>();
  private final List<ConsumerProcess> processes = new ArrayList<>();
  private final List<ConsumerProcess> everybody = new ArrayList<>();
  private final List<Adapter> adapters = new ArrayList<>();
  private Optional<String> poison = Optional.empty();
  private int toBeProduced;
  private int serial;
  private int born;

  World(long seed, Set<Mistake> mistakes, boolean tracing) {
    this.seed = seed;
    this.mistakes = mistakes;
    this.dice = new Dice(seed);
    this.plan = Plan.drawn(dice, new Dice(~seed));
    this.time = new VirtualTime(dice);
    this.witness = new Witness(time, tracing);
    this.network = new Network(this, time, dice);
    this.store = new SimulatedStore(time, witness, mistakes);
    this.broker = plan.broker() == Plan.Broker.LOG
        ? new LogBroker(this, dice, plan.partitions())
        : new QueueBroker(this, dice);
  }

  static MessageKey key(String id) {
    return MessageKey.of(SCOPE, id);
  }

  /** Lives until everything is at rest, or should be. */
  Story run() throws InterruptedException {
    witness.note(plan::toString);
    produce();
    for (int i = 0; i < plan.processes(); i++) {
      time.after(dice.between(Duration.ZERO, Duration.ofSeconds(2)), life, this::begin);
    }
    time.after(Duration.ofSeconds(1), life, this::somethingGoesWrong);
    time.after(plan.faultsEnd(), life, this::faultsStop);
    time.run();
    everybody.forEach(process -> process.engine().close());
    return new Story(
        seed,
        mistakes,
        plan,
        witness.violations(),
        witness.tally,
        Duration.ofNanos(time.now()).minus(plan.faultsEnd()),
        witness.trace());
  }

  private void produce() {
    for (int i = 0; i < plan.ids(); i++) {
      String id = "m" + i;
      int copies = dice.chance(plan.repeated()) ? dice.between(2, 3) : 1;
      for (int copy = 0; copy < copies; copy++) {
        Post post = new Post(id, serial++);
        toBeProduced++;
        Duration at = dice.between(Duration.ZERO, plan.faultsEnd().dividedBy(2));
        time.after(dice.chance(0.5) ? Duration.ZERO : at, life, () -> {
          toBeProduced--;
          broker.produce(post);
        });
      }
      produced.add(id);
    }
    if (plan.faults().contains(Fault.POISON)) {
      poison = Optional.of("m" + dice.between(0, plan.ids() - 1));
    }
  }

  /** It was published; in some worlds an operator brings each message back once. */
  void deadLettered(Post post) {
    witness.deadLettered(post);
    if (plan.redrives() && redriven.add(post.id())) {
      toBeProduced++;
      Duration noticed = dice.between(Duration.ofSeconds(1), Duration.ofSeconds(20));
      time.after(noticed, life, () -> redrive(post.id()));
    }
  }

  /** As the operator's guide says: messages without an effect only, the mark before the message. */
  private void redrive(String id) {
    toBeProduced--;
    if (!witness.hasTakenEffect(id) && !witness.runs(id) && store.bringBack(key(id))) {
      witness.redriven(id);
      broker.produce(new Post(id, serial++));
    }
  }

  private void begin() {
    ConsumerProcess process = new ConsumerProcess(this, "c" + ++born, dice);
    processes.add(process);
    everybody.add(process);
    Adapter adapter = broker.adapter(process);
    adapters.add(adapter);
    witness.note(() -> process + " begins");
    poll(process, adapter);
  }

  private void poll(ConsumerProcess process, Adapter adapter) {
    adapter.poll();
    Duration pause = dice.between(Duration.ofMillis(20), Duration.ofMillis(600));
    time.after(pause, process.life(), () -> poll(process, adapter));
  }

  /** A supervisor notices that it is dead, and starts another. */
  void replaceLater(ConsumerProcess process) {
    Duration noticed = dice.between(Duration.ZERO, Duration.ofSeconds(10));
    time.after(noticed, life, () -> broker.left(process));
    time.after(dice.between(Duration.ofMillis(100), Duration.ofSeconds(8)), life, this::begin);
    adapters.remove(processes.indexOf(process));
    processes.remove(process);
  }

  private boolean faultsGoOn() {
    return time.now() < plan.faultsEnd().toNanos();
  }

  private void somethingGoesWrong() {
    if (!faultsGoOn()) {
      return;
    }
    Set<Fault> faults = plan.faults();
    if (!faults.isEmpty() && !processes.isEmpty()) {
      ConsumerProcess victim = dice.oneOf(processes);
      switch (dice.oneOf(List.copyOf(faults))) {
        case CRASH -> victim.crash();
        case FREEZE ->
          victim.freeze(
              untilFaultsEnd(dice.between(Duration.ofMillis(100), Duration.ofSeconds(30))));
        case STORE_DOWN ->
          network.downFor(dice.between(Duration.ofMillis(100), Duration.ofSeconds(15)));
        case STORE_STALLS ->
          network.stallFor(dice.between(Duration.ofMillis(100), Duration.ofSeconds(8)));
        case MARKS_LOST -> loseMarks();
        case REBALANCE -> broker.rebalance();
        case STORE_READ_ONLY ->
          store.readOnlyFor(dice.between(Duration.ofMillis(100), Duration.ofSeconds(15)));
        default -> {}
      }
    }
    time.after(
        dice.between(Duration.ofMillis(200), Duration.ofSeconds(8)),
        life,
        this::somethingGoesWrong);
  }

  /** What is put off by a fault cannot be called back when faults stop. */
  private Duration untilFaultsEnd(Duration duration) {
    Duration left = plan.faultsEnd().minusNanos(time.now());
    return duration.compareTo(left) < 0 ? duration : left;
  }

  private void loseMarks() {
    List<MessageKey> all = List.copyOf(store.known());
    if (!all.isEmpty()) {
      List<MessageKey> lost = dice.chance(0.2) ? all : List.of(dice.oneOf(all));
      lost.forEach(store::lose);
    }
  }

  private void faultsStop() {
    witness.note(() -> "faults stop");
    network.heal();
    store.heal();
    lookWhetherAllIsAtRest();
  }

  private void lookWhetherAllIsAtRest() {
    boolean atRest = toBeProduced == 0
        && broker.atRest()
        && !witness.anyRuns()
        && adapters.stream().allMatch(Adapter::idle);
    long end = plan.faultsEnd().toNanos();
    boolean tooLate = time.now() > end + UNTIL_REST.toNanos()
        || time.now() > Math.max(end, witness.stillSince()) + LONGEST_STILLNESS.toNanos();
    if (atRest) {
      rest();
    } else if (tooLate || time.steps() > MOST_STEPS) {
      witness.violated(
          Rule.EVERYTHING_COMES_TO_REST,
          broker.open() + " is open after " + time.steps() + " steps; problems: "
              + processes.stream()
                  .map(it -> it + ": " + it.engine().health().problems())
                  .toList());
      end();
    } else {
      time.after(Duration.ofMillis(500), life, this::lookWhetherAllIsAtRest);
    }
  }

  private void rest() {
    for (MessageKey key : store.known()) {
      if (state(key) == MarkState.PROCESSING && !witness.lostOnce(key)) {
        witness.violated(Rule.NO_CLAIM_IS_LEFT, String.valueOf(store.mark(key)));
      }
    }
    if (plan.transactional()) {
      produced.forEach(id -> witness.atRest(id, state(key(id)) == MarkState.DONE));
    }
    end();
  }

  private MarkState state(MessageKey key) {
    return store.mark(key).map(Mark::state).orElse(MarkState.ABSENT);
  }

  private void end() {
    witness.verdict(produced, plan);
    everybody.forEach(process -> process.life().end());
    life.end();
  }

  /** A consumer has acknowledged a message to the broker. */
  void acknowledged(Post post) {
    witness.note(() -> "acknowledged " + post);
    witness.moved();
    if (!store.everSettled(key(post.id()))) {
      witness.violated(Rule.NO_ACK_BEFORE_ITS_TIME, post + " with " + store.mark(key(post.id())));
    }
  }

  /** Whether a fault happens now. */
  boolean happens(Fault fault, double probability) {
    return plan.faults().contains(fault) && faultsGoOn() && dice.chance(probability);
  }

  boolean isPoison(Post post) {
    return poison.equals(Optional.of(post.id()));
  }

  boolean makes(Mistake mistake) {
    return mistakes.contains(mistake);
  }

  VirtualTime time() {
    return time;
  }

  Life life() {
    return life;
  }

  Plan plan() {
    return plan;
  }

  Witness witness() {
    return witness;
  }

  Network network() {
    return network;
  }

  SimulatedStore store() {
    return store;
  }

  Broker broker() {
    return broker;
  }
}
