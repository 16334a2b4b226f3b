package io.hapax.mark;

import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.ExploredInvariants.Executed;
import io.hapax.mark.ExploredOwner.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Walks, breadth first, through every world that can be reached: owners claim alone or with others,
 * renew and settle; replies get lost and verbs are sent again; claims wander in the network and
 * arrive late; owners crash; time passes; the store loses the mark. Every step is checked, so the
 * first breach comes with a shortest way to it.
 */
final class MarkExplorer {

  private static final List<Verdict> VERDICTS = List.of(
      Verdict.Done.WITHOUT_RESULT,
      new Verdict.Retry(ExploredWorld.SHORT, false),
      new Verdict.Release(),
      new Verdict.Dead("poison"));

  /**
   * How large the world is.
   *
   * @param owners how many processes there are
   * @param deliveries how often each of them is given the message
   * @param wandering whether a claim may arrive long after it was sent
   * @param losses whether the store may lose the mark
   */
  record Bounds(int owners, int deliveries, boolean wandering, boolean losses) {}

  private final ExploredInvariants store;
  private final Bounds bounds;
  private final Set<String> known = new HashSet<>();
  private final Queue<Way> frontier = new ArrayDeque<>();
  private long steps;

  MarkExplorer(ExploredStore store, Bounds bounds) {
    this.bounds = bounds;
    this.store = new ExploredInvariants(store);
  }

  /**
   * What was found.
   *
   * @param worlds how many distinct worlds were reached
   * @param steps how many steps were taken between them
   * @param broken the first invariant that was broken
   * @param way the steps that lead to the breach
   */
  record Findings(int worlds, long steps, Optional<Broken> broken, List<String> way) {}

  private record Way(ExploredWorld world, String last, Optional<Way> before) {

    List<String> told(String broken) {
      List<String> all = new ArrayList<>(List.of(broken));
      for (Optional<Way> it = Optional.of(this); it.isPresent(); it = it.get().before()) {
        all.add(it.get().last());
      }
      Collections.reverse(all);
      return all;
    }
  }

  Findings explore() {
    arrive(new Way(
        ExploredWorld.atFirst(SampleMarks.KEY, SampleMarks.NOW, bounds.owners()),
        "nothing happened yet",
        Optional.empty()));
    while (!frontier.isEmpty()) {
      Way way = frontier.remove();
      try {
        step(way);
      } catch (Broken broken) {
        List<String> told = way.told(String.valueOf(broken.getMessage()));
        return new Findings(known.size(), steps, Optional.of(broken), told);
      }
    }
    return new Findings(known.size(), steps, Optional.empty(), List.of());
  }

  private void step(Way way) {
    store.checkNotStuck(way.world());
    ExploredWorld world = way.world().later();
    Optional<Way> here = Optional.of(way);
    arrive(new Way(world.afterTimeStep(), "time passes", here));
    if (bounds.losses() && world.mark().state() != MarkState.ABSENT) {
      ExploredWorld lost = world.with(Mark.absent(SampleMarks.KEY), world.seen().lost());
      arrive(new Way(lost, "the store loses the mark", here));
    }
    world.wandering().ifPresent(request -> {
      Executed<ClaimAnswer> it = store.claim(world, request, Duration.ZERO);
      ExploredWorld next = it.world().withWandering(Optional.empty());
      arrive(new Way(next, "a wandering claim arrives", here));
    });
    for (ExploredOwner owner : world.owners()) {
      step(world, owner, here);
    }
  }

  private void step(ExploredWorld world, ExploredOwner owner, Optional<Way> here) {
    switch (owner.step()) {
      case IDLE -> {
        if (owner.delivery() < bounds.deliveries()) {
          claimAnew(world, owner, false, here);
          claimAnew(world, owner, true, here);
        }
      }
      case CLAIMING -> {
        ClaimRequest request = owner.request().orElseThrow();
        claim(world, owner, request, " sends its claim again", here);
        if (world.now().isAfter(request.terms().notAfter())) {
          arrive(new Way(world.with(owner.isOver()), owner.name() + " gives up", here));
        }
      }
      case HOLDING -> {
        renew(world, owner, here);
        VERDICTS.forEach(verdict -> settle(world, owner, verdict, here));
      }
      case SETTLING -> settle(world, owner, owner.verdict().orElseThrow(), here);
    }
    if (owner.step() != Step.IDLE) {
      arrive(new Way(world.with(owner.isOver()), owner.name() + " crashes", here));
    }
  }

  private void claimAnew(
      ExploredWorld world, ExploredOwner owner, boolean solo, Optional<Way> here) {
    ClaimTerms terms = new ClaimTerms(solo, true, world.now().plus(ExploredWorld.SHORT));
    ClaimRequest request = SampleMarks.request(owner.nonce(), terms);
    String how = solo ? " claims alone" : " claims";
    claim(world, owner, request, how, here);
    if (bounds.wandering() && world.wandering().isEmpty()) {
      ExploredWorld next = world.with(owner.waitsFor(request)).withWandering(Optional.of(request));
      arrive(new Way(next, owner.name() + how + ", and the claim wanders", here));
    }
  }

  private void claim(
      ExploredWorld world,
      ExploredOwner owner,
      ClaimRequest request,
      String how,
      Optional<Way> here) {
    Executed<ClaimAnswer> it = store.claim(world, request, owner.clockOffset());
    arrive(new Way(it.world().with(owner.told(it.answer())), owner.name() + how, here));
    arrive(new Way(
        it.world().with(owner.waitsFor(request)), owner.name() + how + ", reply lost", here));
  }

  private void renew(ExploredWorld world, ExploredOwner owner, Optional<Way> here) {
    Executed<RenewAnswer> it = store.renew(world, owner.claim().orElseThrow());
    boolean fenced = it.answer() instanceof RenewAnswer.Fenced;
    arrive(
        new Way(it.world().with(fenced ? owner.isOver() : owner), owner.name() + " renews", here));
    arrive(new Way(it.world(), owner.name() + " renews, reply lost", here));
  }

  private void settle(
      ExploredWorld world, ExploredOwner owner, Verdict verdict, Optional<Way> here) {
    Settlement settlement = new Settlement(owner.claim().orElseThrow(), verdict);
    Executed<SettleAnswer> it = store.settle(world, settlement);
    String how = owner.name() + " settles " + verdict;
    arrive(new Way(it.world().with(owner.isOver()), how, here));
    arrive(new Way(it.world().with(owner.waitsFor(verdict)), how + ", reply lost", here));
  }

  private void arrive(Way way) {
    steps++;
    if (known.add(way.world().normalised())) {
      frontier.add(way);
    }
  }
}
