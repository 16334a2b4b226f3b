package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The first pass of a run with two versions. Replaces the members of the group one by one under
 * load, from the old version to this one and back.
 *
 * <p>A member is replaced while it has a batch in flight. Up to two members are killed, one of each
 * version; the others end normally. While other members run, shop and store cannot show what a
 * killed member had in doubt. So in leased mode every order that it had reported in flight may
 * repeat. In transactional mode none may.
 */
final class RollingUpgrade {

  private static final int PORTIONS = 15;
  private static final long TICK_MILLIS = 20;
  private static final int MAX_DELAY_MICROS = 50_000;

  /**
   * The number of effects after which a member becomes slow, by position: the first one is replaced
   * first.
   */
  private static final List<Long> PAUSES = List.of(10L, 30L);

  private final ChaosSettings settings;
  private final String oldClassPath;
  private final Consumers consumers;
  private final FaultLog log;
  private final Acknowledgements acknowledgements;
  private final OrderBroker broker;
  private final Progress progress;
  private final Random random;
  private final List<List<Posting>> portions = new ArrayList<>();

  RollingUpgrade(
      ChaosSettings settings,
      String oldClassPath,
      Consumers consumers,
      FaultLog log,
      Acknowledgements acknowledgements,
      OrderBroker broker,
      Progress progress) {
    this.settings = settings;
    this.oldClassPath = oldClassPath;
    this.consumers = consumers;
    this.log = log;
    this.acknowledgements = acknowledgements;
    this.broker = broker;
    this.progress = progress;
    this.random = new Random(settings.seed());
  }

  /** Publishes the messages and consumes all of them, while the members are replaced. */
  void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    progress.step("rolling upgrade: " + postings.size() + " messages");
    for (int i = 0; i < PORTIONS; i++) {
      portions.add(
          postings.subList(i * postings.size() / PORTIONS, (i + 1) * postings.size() / PORTIONS));
    }
    try (Group group = new Group(consumers, broker)) {
      consumers.useClassPath(oldClassPath);
      for (int place = 0; place < size(); place++) {
        group.start(PAUSES.get(place));
      }
      publishNext();
      int kills = settings.faults().kills();
      consumers.useOwnClassPath();
      for (int place = 0; place < size(); place++) {
        replaceNext(group, PAUSES.get(place), kills > 0 && place == size() - 1);
      }
      consumers.useClassPath(oldClassPath);
      for (int place = 0; place < size(); place++) {
        replaceNext(group, Long.MAX_VALUE, kills > 1 && place == 0);
      }
      while (!portions.isEmpty()) {
        publishNext();
      }
      group.awaitEnd();
      group.stop();
    }
    acknowledgements.check();
  }

  /** Returns the size of the group: 1 for H2, whose file belongs to one process at a time. */
  private int size() {
    return settings.store().hasServer() ? PAUSES.size() : 1;
  }

  private void publishNext() throws BrokerException, InterruptedException {
    broker.publish(portions.remove(0));
  }

  /** Replaces the member that was started first. */
  private void replaceNext(Group group, long pauseAfter, boolean kill)
      throws IOException, InterruptedException {
    ConsumerProcess member = group.members().get(0);
    awaitBatch(group, member);
    if (kill) {
      TimeUnit.MICROSECONDS.sleep(random.nextInt(MAX_DELAY_MICROS));
      member.kill();
      killed(member, System.nanoTime());
      group.forget(member);
    } else {
      group.leave(member);
    }
    ConsumerProcess next = group.start(pauseAfter);
    progress.step(
        "consumer " + member.number() + " was " + (kill ? "killed" : "stopped") + " after "
            + member.reports().settled() + " messages and replaced by consumer "
            + next.number());
  }

  private void killed(ConsumerProcess member, long at) {
    Set<String> inFlight = member.reports().inFlight();
    if (!inFlight.isEmpty()) {
      boolean late = settings.promise() == Guarantee.REPEATS_EXPLAINED;
      log.killed(new Kill(member.number(), inFlight, Set.of(), late), at);
    }
  }

  /**
   * Waits until the member has a batch in flight. Publishes more whenever the group has read
   * everything.
   */
  private void awaitBatch(Group group, ConsumerProcess member)
      throws IOException, InterruptedException {
    Group.Watch watch = group.watch();
    while (!(member.reports().armed() && !member.reports().inFlight().isEmpty())) {
      if (watch.atEnd()) {
        if (portions.isEmpty()) {
          return;
        }
        publishNext();
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }
}
