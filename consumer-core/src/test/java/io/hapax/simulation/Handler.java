package io.hapax.simulation;

import io.hapax.Delivery;
import io.hapax.errors.NotAppliedException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.simulation.Plan.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a user wrote: it takes a while, takes effect once each time it is run, and may fail. */
final class Handler {

  private final ConsumerProcess process;
  private final World world;
  private final Dice dice;

  Handler(ConsumerProcess process, World world, Dice dice) {
    this.process = process;
    this.world = world;
    this.dice = dice;
  }

  void handle(Delivery<Post> delivery) throws NotAppliedException {
    Witness.Run run = started(delivery, Set.of());
    try {
      work(run, () -> world.witness().tookEffect(run));
      world.witness().isThrough(run.post().id());
    } finally {
      world.witness().ended(run);
    }
    mayCrash();
  }

  void handleAll(List<Delivery<Post>> deliveries) {
    List<Witness.Run> runs = new ArrayList<>();
    Set<String> alongside = new HashSet<>();
    for (Delivery<Post> delivery : deliveries) {
      runs.add(started(delivery, alongside));
      alongside.add(delivery.message().id());
    }
    int handled = 0;
    try {
      for (Witness.Run run : runs) {
        work(run, () -> world.witness().tookEffect(run));
        world.witness().isThrough(run.post().id());
        handled++;
      }
    } catch (NotAppliedException | IllegalStateException failure) {
      throw new PartlyHandledException(handled, failure);
    } finally {
      runs.forEach(world.witness()::ended);
    }
    mayCrash();
  }

  void handleIn(Transaction transaction, Delivery<Post> delivery) throws NotAppliedException {
    Witness.Run run = started(delivery, transaction.ids());
    try {
      work(run, () -> transaction.write(run));
    } finally {
      world.witness().ended(run);
    }
    mayCrash();
  }

  private Witness.Run started(Delivery<Post> delivery, Set<String> alongside) {
    Witness.Run run = world.witness().started(process, delivery);
    world.witness().startedAfter(run, world.broker().before(delivery.message()), alongside);
    return run;
  }

  private void work(Witness.Run run, Runnable effect) throws NotAppliedException {
    work();
    failBefore(run);
    effect.run();
    mayCrash();
    work();
    failAfter();
  }

  /** Mostly short; now and then it needs its lease renewed. */
  private void work() {
    double kind = dice.fraction();
    Duration longest = kind < 0.5
        ? Duration.ofMillis(1)
        : kind < 0.85 ? Duration.ofMillis(500) : Duration.ofSeconds(kind < 0.95 ? 4 : 18);
    world.time().pause(dice.between(Duration.ZERO, longest), process.life());
  }

  private void failBefore(Witness.Run run) throws NotAppliedException {
    mayCrash();
    if (world.isPoison(run.post()) || world.happens(Fault.HANDLER_FAILS, 0.1)) {
      throw new NotAppliedException("refused before anything was done");
    }
    if (world.happens(Fault.HANDLER_FAILS, 0.05)) {
      throw new IllegalStateException("nobody knows whether it took effect: it did not");
    }
  }

  private void failAfter() {
    if (world.happens(Fault.HANDLER_FAILS, 0.1)) {
      throw new IllegalStateException("nobody knows whether it took effect: it did");
    }
  }

  private void mayCrash() {
    if (world.happens(Fault.HANDLER_CRASHES, 0.04)) {
      process.crash();
      throw new ProcessDied();
    }
  }
}
