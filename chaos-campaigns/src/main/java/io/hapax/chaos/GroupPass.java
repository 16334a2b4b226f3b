package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * Lets the members of a group read the topic to its end. No consumer runs before or after a pass.
 *
 * <p>In the first pass faults happen in random order. Before each fault the group is complete, one
 * member pauses its next batch, and a portion of the messages is published. After each fault the
 * group reads that portion to its end.
 */
final class GroupPass {

  private static final int TRIES = 5;

  private final ChaosSettings settings;
  private final Consumers consumers;
  private final OrderBroker broker;
  private final Faults faults;
  private final Acknowledgements acknowledgements;
  private final Progress progress;
  private final Random random;

  GroupPass(
      ChaosSettings settings,
      Consumers consumers,
      OrderBroker broker,
      Faults faults,
      Acknowledgements acknowledgements,
      Progress progress) {
    this.settings = settings;
    this.consumers = consumers;
    this.broker = broker;
    this.faults = faults;
    this.acknowledgements = acknowledgements;
    this.progress = progress;
    this.random = new Random(settings.seed());
  }

  /** Publishes the messages and consumes all of them, while the faults of the run are injected. */
  void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    progress.step("consume: " + postings.size() + " messages");
    Iterator<List<Posting>> portions =
        split(postings, portionCount(settings.faults().count())).iterator();
    try (Group group = new Group(consumers, broker)) {
      group.grow(settings.group().members());
      for (Fault fault : faultsInRandomOrder()) {
        injectUntilHit(fault, group, portions);
      }
      while (portions.hasNext()) {
        broker.publish(portions.next());
      }
      finish(group);
    }
  }

  /** Consumes the topic again. The offsets of the group have been reset to the beginning. */
  void replay(int number, int messages) throws IOException, SQLException, InterruptedException {
    progress.step("replay " + number + ": " + messages + " messages");
    try (Group group = new Group(consumers, broker)) {
      group.grow(settings.group().members());
      finish(group);
    }
  }

  private void finish(Group group) throws IOException, SQLException, InterruptedException {
    group.awaitEnd();
    group.stop();
    if (!settings.naive()) {
      acknowledgements.check();
    }
  }

  private List<Fault> faultsInRandomOrder() {
    List<Fault> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      all.addAll(Collections.nCopies(fault.asked(settings.faults()), fault));
    }
    Collections.shuffle(all, random);
    return all;
  }

  /** Returns the number of portions: one for each fault, some for those that hit nothing. */
  private static int portionCount(int faults) {
    return faults + faults / 5 + 3;
  }

  /** Splits the messages into portions of nearly the same size. */
  private static <M> List<List<M>> split(List<M> messages, int count) {
    List<List<M>> portions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      portions.add(messages.subList(
          (int) ((long) i * messages.size() / count), (int) ((i + 1L) * messages.size() / count)));
    }
    return portions;
  }

  /** Injects a fault, and tries again if it hit nothing. */
  private void injectUntilHit(Fault fault, Group group, Iterator<List<Posting>> portions)
      throws IOException, SQLException, InterruptedException {
    for (int tries = 0; tries < TRIES && portions.hasNext(); tries++) {
      group.awaitComplete();
      ConsumerProcess target = group.any(random);
      long request = target.slowDown(fault.holdsBatch());
      broker.publish(portions.next());
      boolean hit = group.awaitPaused(target, request) && faults.inject(fault, group, target);
      if (group.members().contains(target)) {
        target.release();
      }
      group.awaitEnd();
      if (hit) {
        return;
      }
    }
  }
}
