package io.hapax.mark;

import io.hapax.mark.ExploredInvariants.Broken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Walks through every world that can be reached with a limited number of faults: first through
 * those without a fault, then through those with one, and so on, each time breadth first. Every
 * world and every step is checked. So the first broken invariant is reported with the history that
 * has the fewest faults, and among those the fewest steps.
 */
final class MarkExplorer {

  /**
   * How large the world is.
   *
   * @param messages how many messages there are, at most two
   * @param owners how many processes there are, at most three
   * @param deliveries how often each process is given the messages, at most three
   * @param faults the limit of faults in one history: a pause, a crash, a lost reply, a late
   *     command, a lost mark, one more delivery
   */
  record Bounds(int messages, int owners, int deliveries, int faults) {}

  /**
   * What was found.
   *
   * @param worlds how many distinct worlds were reached: those without a fault, those with one, and
   *     so on
   * @param steps how many steps were taken between them
   * @param broken the first invariant that was broken
   * @param way the steps that lead to the breach
   */
  record Findings(List<Integer> worlds, long steps, Optional<Broken> broken, List<String> way) {

    int sum() {
      return worlds.stream().mapToInt(Integer::intValue).sum();
    }
  }

  private final ExploredStore store;
  private final ExploredClient client;
  private final Bounds bounds;
  private final ExploredRules rules;
  private final ExploredSteps steps;
  private final WorldCode codes;
  private final KnownWorlds known = new KnownWorlds();
  private long taken;
  private int here;

  MarkExplorer(ExploredStore store, ExploredClient client, Bounds bounds) {
    this.store = store;
    this.client = client;
    this.bounds = bounds;
    this.rules = new ExploredRules(store);
    this.steps = new ExploredSteps(store, client, bounds.deliveries(), this::arrive);
    this.codes = new WorldCode(client, bounds.owners(), bounds.messages());
  }

  private ExploredWorld first() {
    return ExploredWorld.atFirst(bounds.messages(), bounds.owners());
  }

  private ExploredWorld world(int index) {
    return WorldReader.world(known.code(index), client, bounds.owners(), bounds.messages());
  }

  private void arrive(ExploredWorld next) {
    taken++;
    known.add(codes.of(next), here);
  }

  Findings explore() {
    List<Integer> worlds = new ArrayList<>();
    known.add(codes.of(first()), 0);
    try {
      int done = 0;
      for (int faults = 0; faults <= bounds.faults(); faults++) {
        int begin = done;
        for (here = begin; here < known.size(); here++) {
          ExploredWorld world = world(here);
          rules.check(world);
          steps.takeAll(world);
        }
        done = known.size();
        worlds.add(done - begin);
        for (here = begin; here < done && faults < bounds.faults(); here++) {
          steps.failAll(world(here));
        }
      }
      return new Findings(worlds, taken, Optional.empty(), List.of());
    } catch (Broken broken) {
      worlds.add(known.size() - worlds.stream().mapToInt(Integer::intValue).sum());
      List<String> way = new Retelling(store, client, bounds).of(codesTo(here));
      return new Findings(worlds, taken, Optional.of(broken), way);
    }
  }

  /** The worlds, of all that were reached, that are not read from their codes as they were. */
  List<ExploredWorld> misread() {
    return IntStream.range(0, known.size())
        .filter(index -> !Arrays.equals(codes.of(world(index)), known.code(index)))
        .mapToObj(this::world)
        .toList();
  }

  /** The codes of the worlds on the way to this one, without the first. */
  private Deque<long[]> codesTo(int index) {
    Deque<long[]> way = new ArrayDeque<>();
    for (int at = index; at != 0; at = known.before(at)) {
      way.addFirst(known.code(at));
    }
    return way;
  }

  /** Goes a known way again, in a world whose processes and messages keep their names. */
  private static final class Retelling {

    private final ExploredSteps steps;
    private final ExploredRules rules;
    private final WorldCode codes;
    private final List<String> told = new ArrayList<>();
    private ExploredWorld world;
    private Optional<ExploredWorld> next = Optional.empty();
    private Optional<long[]> wanted = Optional.empty();

    Retelling(ExploredStore store, ExploredClient client, Bounds bounds) {
      this.steps = new ExploredSteps(store, client, bounds.deliveries(), this::arrive);
      this.rules = new ExploredRules(store);
      this.codes = new WorldCode(client, bounds.owners(), bounds.messages());
      this.world = ExploredWorld.atFirst(bounds.messages(), bounds.owners());
    }

    List<String> of(Deque<long[]> way) {
      try {
        for (long[] code : way) {
          wanted = Optional.of(code);
          next = Optional.empty();
          step();
          world = next.orElseThrow(() -> new IllegalStateException("no way after " + told));
        }
        wanted = Optional.empty();
        next = Optional.empty();
        rules.check(world.later());
        step();
      } catch (Broken broken) {
        if (wanted.isEmpty()) {
          told.add(steps.doing() + " -> " + broken.getMessage());
        }
      }
      return told;
    }

    private void step() {
      ExploredWorld now = world.later();
      steps.takeAll(now);
      if (next.isEmpty()) {
        steps.failAll(now);
      }
    }

    private void arrive(ExploredWorld reached) {
      if (next.isEmpty() && wanted.isPresent() && Arrays.equals(codes.of(reached), wanted.get())) {
        next = Optional.of(reached);
        told.add(steps.doing());
      }
    }
  }
}
