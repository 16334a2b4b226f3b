package io.hapax.chaos;

import io.hapax.chaos.LiveProcess.Beforehand;
import io.hapax.console.trial.TrialConsumer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All consumers of the live demo: those with Hapax, and the naive one. */
final class Crew implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

  /** Long enough for a batch of messages that were just published. */
  private static final Duration UNTIL_HELD = Duration.ofSeconds(5);

  private final List<Slot> slots;
  private int turn;

  /** A consumer in a fault. */
  record Hit(Slot slot, LiveProcess process) {}

  Crew(LiveProcess.Launcher hapax, int members, LiveProcess.Launcher naive) {
    List<Slot> all = new ArrayList<>();
    for (int i = 1; i <= members; i++) {
      all.add(new Slot("hapax-" + i, true, hapax));
    }
    all.add(new Slot("naive", false, naive));
    this.slots = List.copyOf(all);
  }

  /** Starts processes where they are missing. */
  void supervise() {
    for (Slot slot : slots) {
      try {
        slot.supervise();
      } catch (IOException e) {
        LOG.error("consumer {} cannot be started", slot.name(), e);
      }
    }
  }

  List<TrialConsumer> show() {
    return slots.stream().map(Slot::show).toList();
  }

  /** Returns the reports of the consumers with Hapax. */
  LiveCounts counts() {
    return slots.stream()
        .filter(Slot::hapax)
        .map(Slot::counts)
        .reduce(LiveCounts.NONE, LiveCounts::plus);
  }

  /** Returns whether each consumer reads. */
  boolean isComplete() {
    return slots.stream().allMatch(slot -> slot.running().isPresent());
  }

  /**
   * Lets one running consumer of each kind hold a batch. The consumers with Hapax take turns.
   *
   * @param beforehand publishes messages for the batches
   * @return the consumers; one may hold no batch if others got all messages
   * @throws IllegalStateException if no consumer with Hapax reads
   * @throws Exception if a request cannot be sent, or {@code beforehand} fails; then none is held
   */
  List<Hit> holdOneOfEach(Beforehand beforehand) throws Exception {
    Hit hapax = next()
        .orElseThrow(() ->
            new IllegalStateException("no consumer with Hapax is running now: wait some seconds"));
    Optional<Hit> naive = running(false).findFirst();
    List<Hit> hits = Stream.concat(Stream.of(hapax), naive.stream()).toList();
    try {
      hapax
          .process()
          .hold(
              () -> {
                if (naive.isPresent()) {
                  naive.get().process().hold(beforehand, UNTIL_HELD);
                } else {
                  beforehand.run();
                }
              },
              UNTIL_HELD);
    } catch (Exception e) {
      hits.forEach(hit -> release(hit, e));
      throw e;
    }
    return hits;
  }

  /**
   * Freezes one running consumer of each kind while it holds a batch.
   *
   * @param later lets them go on after this time
   */
  List<Hit> freezeOneOfEach(Beforehand beforehand, Duration time, Background later)
      throws Exception {
    List<Hit> hits = holdOneOfEach(beforehand);
    // Before the first one is frozen: a failure at the second one must not leave it so.
    hits.forEach(hit -> later.later(time, "the end of a freeze", () -> thaw(hit)));
    for (Hit hit : hits) {
      hit.process().freeze();
      hit.slot().frozen(true);
    }
    return hits;
  }

  private static void thaw(Hit hit) throws IOException, InterruptedException {
    if (!hit.process().isAlive()) {
      return;
    }
    hit.process().release(); // read when it wakes, before it can learn what it missed
    hit.process().thaw();
    hit.slot().frozen(false);
  }

  private static void release(Hit hit, Exception failure) {
    try {
      hit.process().release();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private synchronized Optional<Hit> next() {
    List<Hit> running = running(true).toList();
    return running.isEmpty() ? Optional.empty() : Optional.of(running.get(turn++ % running.size()));
  }

  private Stream<Hit> running(boolean hapax) {
    return slots.stream()
        .filter(slot -> slot.hapax() == hapax)
        .flatMap(slot -> slot.running().map(process -> new Hit(slot, process)).stream());
  }

  /** Ends all consumers normally, and starts none until {@link #open()}. */
  void rest() throws InterruptedException {
    for (Slot slot : slots) {
      Optional<LiveProcess> process = slot.close();
      if (process.isPresent()) {
        end(process.get());
      }
    }
  }

  private static void end(LiveProcess process) throws InterruptedException {
    try {
      process.stop();
    } catch (IOException | IllegalStateException e) {
      LOG.debug("process {} did not end normally", process.pid(), e);
      process.kill();
    }
  }

  /** Lets the consumers start again. */
  void open() {
    slots.forEach(Slot::open);
  }

  /** Kills all processes. */
  @Override
  public void close() {
    for (Slot slot : slots) {
      slot.close().ifPresent(process -> {
        try {
          process.kill();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
  }
}
