package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Lets the members of a group read the topic to its end. No consumer runs before or after a pass.
 * After a fault a group reads the published portion to its end. A single member reads only a part
 * of it, because its recoveries would take most of the time of the run.
 */
class GroupPass {

  private static final int TRIES = 5;

  final Campaign run;
  final Random random;
  private final Faults faults;

  GroupPass(Campaign run) {
    this.run = run;
    this.random = new Random(run.settings.seed);
    this.faults = new Faults(run);
  }

  void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    run.progress.accept("consume: " + postings.size() + " messages");
    List<FaultKind> plan = inRandomOrder(run.settings.faults);
    // One portion for each fault, and some for those that hit nothing.
    Iterator<List<Posting>> portions =
        split(postings, plan.size() + plan.size() / 5 + 3).iterator();
    try (Group group = new Group(run.consumers, run.broker)) {
      group.grow(run.settings.group().members());
      for (FaultKind fault : plan) {
        injectUntilHit(fault, group, portions);
      }
      while (portions.hasNext()) {
        run.broker.publish(portions.next());
      }
      finish(group);
    }
  }

  /** Consumes the topic again. The offsets of the group have been reset to the beginning. */
  final void replay(int number, int messages)
      throws IOException, SQLException, InterruptedException {
    run.progress.accept("replay " + number + ": " + messages + " messages");
    try (Group group = new Group(run.consumers, run.broker)) {
      group.grow(run.settings.group().members());
      finish(group);
    }
  }

  final void finish(Group group) throws IOException, SQLException, InterruptedException {
    group.awaitEnd();
    group.stop();
    if (!run.settings.naive) {
      run.acknowledgements.check();
    }
  }

  private List<FaultKind> inRandomOrder(Map<FaultKind, Integer> asked) {
    List<FaultKind> all = new ArrayList<>();
    asked.forEach((fault, count) -> all.addAll(Collections.nCopies(count, fault)));
    Collections.shuffle(all, random);
    return all;
  }

  static <M> List<List<M>> split(List<M> messages, int count) {
    List<List<M>> portions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      portions.add(messages.subList(
          (int) ((long) i * messages.size() / count), (int) ((i + 1L) * messages.size() / count)));
    }
    return portions;
  }

  private void injectUntilHit(FaultKind fault, Group group, Iterator<List<Posting>> portions)
      throws IOException, SQLException, InterruptedException {
    for (int tries = 0; tries < TRIES && portions.hasNext(); tries++) {
      group.awaitComplete();
      ConsumerProcess target = group.any(random);
      long request = target.slowDown(fault.holdsBatch());
      List<Posting> portion = portions.next();
      int settled = run.consumers.settled();
      run.broker.publish(portion);
      boolean hit = group.awaitPaused(target, request) && faults.inject(fault, group, target);
      if (group.members().contains(target)) {
        target.release();
      }
      if (run.alone()) {
        group.awaitMoreThan(settled + portion.size() / 2);
      } else {
        group.awaitEnd();
      }
      if (hit) {
        return;
      }
    }
  }
}
