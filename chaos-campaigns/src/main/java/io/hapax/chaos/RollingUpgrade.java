package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.Mode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The first pass of a run with two versions. Replaces the members of the group one by one under
 * load, from the old version to this one and back, each while it has a batch in flight. Up to two
 * members are killed, one of each version; the others end normally.
 */
final class RollingUpgrade extends GroupPass {

  private static final int PORTIONS = 15;
  private static final long TICK_MILLIS = 20;

  /** Much shorter than the pause of a batch after its effects, which it must hit. */
  private static final int MAX_DELAY_MICROS = 25_000;

  /** The number of effects after which a member becomes slow, in the sequence of replacement. */
  private static final List<Long> PAUSES = List.of(10L, 30L);

  private final Optional<String> oldClassPath;
  private final Deque<List<Posting>> portions = new ArrayDeque<>();

  RollingUpgrade(Campaign run, Optional<String> oldClassPath) {
    super(run);
    this.oldClassPath = oldClassPath;
  }

  @Override
  void first(List<Posting> postings) throws IOException, SQLException, InterruptedException {
    run.progress.accept("rolling upgrade: " + postings.size() + " messages");
    portions.addAll(split(postings, PORTIONS));
    Consumers consumers = run.consumers;
    int kills = run.settings.asked(FaultKind.KILL);
    try (Group group = new Group(consumers, run.broker)) {
      consumers.useOld(oldClassPath);
      for (int place = 0; place < size(); place++) {
        group.start(PAUSES.get(place));
      }
      publishNext();
      consumers.useOld(Optional.empty());
      for (int place = 0; place < size(); place++) {
        replaceNext(group, PAUSES.get(place), kills > 0 && place == size() - 1);
      }
      consumers.useOld(oldClassPath);
      for (int place = 0; place < size(); place++) {
        replaceNext(group, Long.MAX_VALUE, kills > 1 && place == 0);
      }
      while (!portions.isEmpty()) {
        publishNext();
      }
      finish(group);
    }
  }

  /** Returns the size of the group: 1 for H2, whose file belongs to one process at a time. */
  private int size() {
    return run.settings.store.hasServer() ? PAUSES.size() : 1;
  }

  private void publishNext() throws BrokerException, InterruptedException {
    run.broker.publish(portions.remove());
  }

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
    run.progress.accept("consumer " + member.number() + " was "
        + (kill ? "killed" : "stopped") + " after " + member.reports().settled()
        + " messages and replaced by consumer " + next.number());
  }

  private void killed(ConsumerProcess member, long at) {
    Set<String> inFlight = member.reports().inFlight();
    if (!inFlight.isEmpty()) {
      boolean late = run.settings.mode() == Mode.LEASED;
      run.log.hit(FaultKind.KILL);
      run.log.disrupted(Disruption.kill(member.number(), inFlight, Set.of(), late), at);
    }
  }

  /** Publishes more whenever the group has read everything. */
  private void awaitBatch(Group group, ConsumerProcess member)
      throws IOException, InterruptedException {
    while (!group.await(() -> hasBatch(member)) && !portions.isEmpty()) {
      publishNext();
    }
  }

  private static boolean hasBatch(ConsumerProcess member) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    return member.reports().armed() && !member.reports().inFlight().isEmpty();
  }
}
