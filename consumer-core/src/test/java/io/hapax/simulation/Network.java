package io.hapax.simulation;

import io.hapax.simulation.Plan.Fault;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;

/** The ways between the processes and the store. */
final class Network {

  /** After this time a caller gives up. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

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
   * @throws StoreException if nobody answered; the call may have been executed or not, or may yet
   *     be
   */
  <A> A call(ConsumerProcess process, String verb, Supplier<A> execution) {
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
      return answered(process, verb, execution);
    }
    time.after(there, world.life(), () -> {
      process.troubled();
      if (downUntil <= time.now()) {
        var unused = execution.get();
      }
    });
    throw failed(process, verb + ": no reply", TIMEOUT);
  }

  private <A> A answered(ConsumerProcess process, String verb, Supplier<A> execution) {
    if (downUntil > time.now()) {
      throw failed(process, verb + ": the store is down", Duration.ofMillis(1));
    }
    A reply = execution.get();
    if (dice.chance(0.3)) {
      time.pause(latency(), process.life());
    }
    return reply;
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
