package io.hapax.chaos;

import io.hapax.demo.Mode;
import io.hapax.servers.LocalServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Injects the faults of a run. They hit a consumer that works alone, or a member of a group whose
 * other members continue to work.
 */
final class Faults {

  /** Nothing takes over from a dead member earlier, less half a second for its last heartbeat. */
  private static final Duration BEFORE_TAKEOVER = GroupPlan.SESSION.minusMillis(500);

  private static final long TICK_MILLIS = 200;
  private static final int MAX_DELAY_MICROS = 120_000;

  private final Campaign run;
  private final Random random;

  Faults(Campaign run) {
    this.run = run;
    this.random = new Random(run.settings.seed);
  }

  /** Returns whether the fault hit orders in flight. */
  boolean inject(FaultKind fault, Group group, ConsumerProcess target)
      throws IOException, SQLException, InterruptedException {
    switch (fault) {
      case KILL -> {
        return kill(group, target);
      }
      case STOP -> stop(group, target);
      case STORE_RESTART -> restartStore(group, target);
      case BROKER_RESTART -> restartBroker(group, target);
      case RESET -> reset(group);
      case SCALING -> scale(group, target);
    }
    run.progress.accept(
        fault.title() + ' ' + run.log.hit(fault) + " of " + run.settings.asked(fault));
    return true;
  }

  /**
   * Kills a member, and starts another one. Returns whether an order was in flight. In a run
   * without a group nothing can take over before shop and store are compared: the other one starts
   * later.
   */
  private boolean kill(Group group, ConsumerProcess member)
      throws IOException, SQLException, InterruptedException {
    delay();
    member.kill();
    long at = System.nanoTime();
    group.forget(member);
    Set<String> inFlight = run.consumers.inFlight(member.number(), at);
    Set<String> inDoubt =
        run.settings.naive ? Set.of() : run.inspector.inDoubt(member.number(), true);
    // In transactional mode the moment does not matter: no effect may ever be in doubt.
    boolean late = !run.alone()
        && run.settings.mode() == Mode.LEASED
        && System.nanoTime() - at > BEFORE_TAKEOVER.toNanos();
    if (!run.alone()) {
      group.grow(1);
    }
    if (!run.settings.naive) {
      run.acknowledgements.check();
    }
    if (run.alone()) {
      group.grow(1);
    }
    if (inFlight.isEmpty()) {
      run.log.killsRepeated++;
      return false;
    }
    run.log.disrupted(Disruption.kill(member.number(), inFlight, inDoubt, late), at);
    run.progress.accept("SIGKILL " + run.log.hit(FaultKind.KILL) + " of "
        + run.settings.asked(FaultKind.KILL) + ": process " + member.pid() + " with "
        + inFlight.size() + (inFlight.size() == 1 ? " order" : " orders") + " in flight");
    return true;
  }

  /**
   * Stops a member with SIGSTOP. It continues when the others have completed its orders; beside a
   * consumer that works alone another one is started for that time. If the shop's database does not
   * end the transaction of a stopped member, nothing can take over, and it continues after its
   * lease and its session have expired.
   */
  private void stop(Group group, ConsumerProcess member)
      throws IOException, SQLException, InterruptedException {
    List<ConsumerProcess> successors = new ArrayList<>();
    member.pause();
    try {
      long at = System.nanoTime();
      Set<String> inDoubt = run.inspector.inDoubt(member.number(), false);
      if (run.alone()) {
        successors.add(group.start(0));
      }
      if (run.settings.store.endsIdleTransactions()) {
        group.mustHold("no member took over from a stopped one", () -> {
          TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
          return run.inspector
              .notDone(run.consumers.inFlight(member.number(), at))
              .isEmpty();
        });
      } else {
        Duration expired = HapaxConsumer.LEASE.plus(run.broker.memberTimeout()).plusSeconds(2);
        TimeUnit.MILLISECONDS.sleep(expired.toMillis());
      }
      // Read now: the last reports may have been under way for a while.
      Set<String> inFlight = run.consumers.inFlight(member.number(), at);
      run.log.disrupted(Disruption.stop(member.number(), inFlight, inDoubt), at);
      member.release(); // it reads the release when it wakes, before it can learn what it missed
    } finally {
      member.resume();
    }
    for (ConsumerProcess successor : successors) {
      group.leave(successor);
    }
  }

  /**
   * Kills a server of the store and starts it again. All members are paused while shop and store
   * are compared, because they would repair what the parent looks for.
   */
  private void restartStore(Group group, ConsumerProcess target)
      throws IOException, SQLException, InterruptedException {
    delay();
    List<LocalServer> servers = run.stores.servers();
    LocalServer server = servers.get(random.nextInt(servers.size()));
    int before = target.reports().storeErrors();
    server.kill();
    target.release(); // its batch goes on and meets the dead store
    group.mustHold("no store error", () -> target.reports().storeErrors() > before);
    group.each(ConsumerProcess::pause);
    try {
      long at = System.nanoTime();
      server.restart();
      for (ConsumerProcess member : group.members()) {
        Set<String> inDoubt = run.inspector.inDoubt(member.number(), false);
        Set<String> inFlight = run.consumers.inFlight(member.number(), at);
        run.log.disrupted(Disruption.outage(member.number(), inFlight, inDoubt, !run.alone()), at);
      }
    } finally {
      group.each(ConsumerProcess::resume);
    }
    awaitProgress(group, target, "store restart");
  }

  /** Kills the broker and starts it again on its data. The members keep their claims. */
  private void restartBroker(Group group, ConsumerProcess target)
      throws IOException, InterruptedException {
    delay();
    run.broker.restart();
    awaitProgress(group, target, "broker restart");
  }

  private void awaitProgress(Group group, ConsumerProcess target, String fault)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    target.release();
    group.awaitMoreThan(run.consumers.settled());
    Duration time = Duration.ofNanos(System.nanoTime() - begin);
    run.progress.accept("settles again after " + time.toMillis() + " ms");
    run.log.stoodStill(new FaultLog.Standstill(fault, time));
  }

  /** Ends all members, resets the group to offset 0, and starts as many members again. */
  private void reset(Group group) throws IOException, SQLException, InterruptedException {
    int size = group.members().size();
    group.stop();
    run.acknowledgements.check();
    run.broker.rewind();
    group.grow(size);
  }

  /** Starts a further member, and then ends another one normally; both have messages in flight. */
  private void scale(Group group, ConsumerProcess target) throws IOException, InterruptedException {
    group.grow(1);
    group.awaitComplete();
    group.leave(target);
  }

  private void delay() throws InterruptedException {
    TimeUnit.MICROSECONDS.sleep(random.nextInt(MAX_DELAY_MICROS));
  }
}
