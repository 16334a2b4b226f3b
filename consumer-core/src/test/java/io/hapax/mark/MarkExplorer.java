package io.hapax.mark;

import static java.util.Objects.requireNonNull;

import io.hapax.mark.ExploredInvariants.Broken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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

  /** A world with its code. */
  record Reached(ExploredWorld world, List<Long> code) {}

  private final ExploredStore store;
  private final ExploredClient client;
  private final Bounds bounds;
  private final ExploredRules rules;
  private final ExploredSteps steps;
  private final WorldCode codes;

  /** The code of every world that was reached, and that of the world from which it was first. */
  private final Map<List<Long>, List<Long>> before = new HashMap<>();

  private final Deque<Reached> open = new ArrayDeque<>();
  private List<Long> here;
  private long taken;

  MarkExplorer(ExploredStore store, ExploredClient client, Bounds bounds) {
    this.store = store;
    this.client = client;
    this.bounds = bounds;
    this.rules = new ExploredRules(store);
    this.steps = new ExploredSteps(store, client, bounds.deliveries(), this::arrive);
    this.codes = new WorldCode(client, bounds.owners(), bounds.messages());
    this.here = codes.of(first());
  }

  private ExploredWorld first() {
    return ExploredWorld.atFirst(bounds.messages(), bounds.owners());
  }

  private void arrive(ExploredWorld next) {
    taken++;
    List<Long> code = codes.of(next);
    if (before.putIfAbsent(code, here) == null) {
      open.add(new Reached(next.later(), code));
    }
  }

  Findings explore() {
    return explore(Deque::removeFirst);
  }

  /** Explores the worlds of as many faults in this order. */
  Findings explore(Function<Deque<Reached>, Reached> order) {
    List<Integer> worlds = new ArrayList<>();
    before.put(here, here);
    open.add(new Reached(first(), here));
    try {
      for (int faults = 0; faults <= bounds.faults(); faults++) {
        int known = before.size() - open.size();
        List<Reached> seen = new ArrayList<>();
        while (!open.isEmpty()) {
          Reached next = order.apply(open);
          here = next.code();
          rules.check(next.world());
          steps.takeAll(next.world());
          if (faults < bounds.faults()) {
            seen.add(next);
          }
        }
        worlds.add(before.size() - known);
        for (Reached next : seen) {
          here = next.code();
          steps.failAll(next.world());
        }
      }
      return new Findings(worlds, taken, Optional.empty(), List.of());
    } catch (Broken broken) {
      worlds.add(before.size() - worlds.stream().mapToInt(Integer::intValue).sum());
      List<String> way = new Retelling(store, client, bounds).of(codesTo(here));
      return new Findings(worlds, taken, Optional.of(broken), way);
    }
  }

  /** The codes of the worlds on the way to this one, without the first. */
  private Deque<List<Long>> codesTo(List<Long> code) {
    Deque<List<Long>> way = new ArrayDeque<>();
    for (List<Long> at = code; !at.equals(before.get(at)); at = requireNonNull(before.get(at))) {
      way.addFirst(at);
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
    private Optional<List<Long>> wanted = Optional.empty();

    Retelling(ExploredStore store, ExploredClient client, Bounds bounds) {
      this.steps = new ExploredSteps(store, client, bounds.deliveries(), this::arrive);
      this.rules = new ExploredRules(store);
      this.codes = new WorldCode(client, bounds.owners(), bounds.messages());
      this.world = ExploredWorld.atFirst(bounds.messages(), bounds.owners());
    }

    List<String> of(Deque<List<Long>> way) {
      try {
        for (List<Long> code : way) {
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
      if (next.isEmpty() && wanted.equals(Optional.of(codes.of(reached)))) {
        next = Optional.of(reached);
        told.add(steps.doing());
      }
    }
  }
}
