package io.hapax.simulation;

import io.hapax.simulation.Plan.Fault;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The ways between the processes and the store. */
final class Network {

  /** After this time a caller gives up. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** After this time a lock is not waited for any more. */
  static final Duration LOCK_WAIT = Duration.ofSeconds(1);

  private static final Duration LATEST = Duration.ofSeconds(25);

  private final World world;
  private final VirtualTime time;
  private final Dice dice;
  private long downUntil;
  private long stalledUntil;

  Network(World world, VirtualTime time, Dice dice) {
    this.world = world;
    this.time = time;
    this.dice = dice;
  }

  void downFor(Duration duration) {
    downUntil = time.now() + duration.toNanos();
  }

  void stallFor(Duration duration) {
    stalledUntil = time.now() + duration.toNanos();
  }

  void heal() {
    downUntil = 0;
    stalledUntil = 0;
  }

  /**
   * Makes a call, which takes virtual time.
   *
   * @throws StoreException if the store did not answer; the call may have been executed or not, or
   *     may yet be
   */
  <A> A call(ConsumerProcess process, String verb, BooleanSupplier locked, Supplier<A> execution) {
    Duration there = latency();
    if (stalledUntil > time.now()) {
      there = there.plusNanos(stalledUntil - time.now());
    } else if (world.happens(Fault.CALLS_LATE, 0.06)) {
      there = dice.between(Duration.ofMillis(100), LATEST);
    } else if (world.happens(Fault.CALLS_LOST, 0.08)) {
      throw failed(process, verb + ": the call was lost", TIMEOUT);
    }
    boolean replyLost = world.happens(Fault.REPLIES_LOST, 0.08);
    if (there.compareTo(TIMEOUT) < 0 && !replyLost) {
      time.pause(there, process.life());
      return answered(process, verb, locked, execution);
    }
    time.after(there, world.life(), () -> {
      process.troubled();
      if (downUntil <= time.now() && !locked.getAsBoolean()) {
        executeLate(execution);
      }
    });
    throw failed(process, verb + ": no reply", TIMEOUT);
  }

  private static void executeLate(Supplier<?> execution) {
    try {
      var unused = execution.get();
    } catch (StoreException refused) {
      // Its caller has given up.
    }
  }

  private <A> A answered(
      ConsumerProcess process, String verb, BooleanSupplier locked, Supplier<A> execution) {
    awaitLock(process, locked);
    if (downUntil > time.now()) {
      throw failed(process, verb + ": the store is down", Duration.ofMillis(1));
    }
    A reply;
    try {
      reply = execution.get();
    } catch (StoreException refused) {
      throw failed(process, verb + ": " + refused.getMessage(), Duration.ofMillis(1));
    }
    if (dice.chance(0.3)) {
      time.pause(latency(), process.life());
    }
    return reply;
  }

  /**
   * Waits until no other transaction has locked the wanted marks.
   *
   * @throws StoreContentionException if that takes too long
   */
  void awaitLock(ConsumerProcess process, BooleanSupplier locked) {
    long begin = time.now();
    while (locked.getAsBoolean()) {
      if (time.now() - begin > LOCK_WAIT.toNanos()) {
        throw new StoreContentionException(
            "locked", new IllegalStateException("lock wait is over"));
      }
      time.pause(dice.between(Duration.ofMillis(5), Duration.ofMillis(60)), process.life());
    }
  }

  /** Begins a transaction, or throws. */
  void begin(ConsumerProcess process) {
    boolean lost = world.happens(Fault.CALLS_LOST, 0.08);
    if (lost || stalledUntil - time.now() > TIMEOUT.toNanos()) {
      throw failed(process, "begin: no reply", TIMEOUT);
    }
    time.pause(latency().plusNanos(Math.max(0, stalledUntil - time.now())), process.life());
    if (downUntil > time.now()) {
      throw failed(process, "begin: the store is down", Duration.ofMillis(1));
    }
  }

  /**
   * Commits.
   *
   * @throws CommitUnknownException if the store did not answer; it was committed or not
   */
  void commit(ConsumerProcess process, Runnable commit) {
    time.pause(latency(), process.life());
    if (downUntil > time.now() || world.happens(Fault.CALLS_LOST, 0.08)) {
      throw unknown(process);
    }
    commit.run();
    if (world.happens(Fault.REPLIES_LOST, 0.08)) {
      throw unknown(process);
    }
  }

  private CommitUnknownException unknown(ConsumerProcess process) {
    return new CommitUnknownException("no reply", failed(process, "commit: no reply", TIMEOUT));
  }

  private StoreException failed(ConsumerProcess process, String what, Duration after) {
    world.witness().tally.failedCalls++;
    world.witness().note(() -> process + " " + what);
    process.troubled();
    time.pause(after, process.life());
    process.troubled();
    return new StoreException(what);
  }

  private Duration latency() {
    return dice.between(Duration.ofNanos(100_000), Duration.ofMillis(dice.chance(0.9) ? 3 : 300));
  }
}
