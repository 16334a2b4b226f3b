package io.hapax.chaos;

import io.hapax.console.trial.TrialConsumer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All consumers of the live demo: those with Hapax, and the naive one. */
final class Crew implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

  /** Long enough for a batch of messages that were just published. */
  private static final long UNTIL_HELD_MILLIS = 5_000;

  private final List<Slot> slots = new ArrayList<>();
  private int turn;

  /** A consumer in a fault. */
  record Hit(Slot slot, ConsumerProcess process) {

    private void release(Exception failure) {
      try {
        process.release();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }

    private void thaw() throws IOException, InterruptedException {
      if (process.isAlive()) {
        process.release(); // read when it wakes, before it can learn what it missed
        process.resume();
        slot.frozen(false);
      }
    }
  }

  Crew(Callable<ConsumerProcess> hapax, int members, Callable<ConsumerProcess> naive) {
    for (int i = 1; i <= members; i++) {
      slots.add(new Slot("hapax-" + i, true, hapax));
    }
    slots.add(new Slot("naive", false, naive));
  }

  /** Starts processes where they are missing. */
  void supervise() throws InterruptedException {
    for (Slot slot : slots) {
      try {
        slot.supervise();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        LOG.error("consumer {} cannot be started", slot.name, e);
      }
    }
  }

  List<TrialConsumer> show() {
    return slots.stream().map(Slot::show).toList();
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
  List<Hit> holdOneOfEach(Background.Step beforehand) throws Exception {
    List<Hit> hits = oneOfEach();
    try {
      List<Long> requests = new ArrayList<>();
      for (Hit hit : hits) {
        requests.add(hit.process.slowDown(true));
      }
      beforehand.run();
      for (int i = 0; i < hits.size(); i++) {
        hits.get(i).process.reports().awaitPaused(requests.get(i), UNTIL_HELD_MILLIS);
      }
      return hits;
    } catch (Exception e) {
      hits.forEach(hit -> hit.release(e));
      throw e;
    }
  }

  private synchronized List<Hit> oneOfEach() {
    List<Hit> hapax = running(true).toList();
    if (hapax.isEmpty()) {
      throw new IllegalStateException("no consumer with Hapax is running now: wait some seconds");
    }
    Hit next = hapax.get(turn++ % hapax.size());
    return Stream.concat(Stream.of(next), running(false)).toList();
  }

  private Stream<Hit> running(boolean hapax) {
    return slots.stream()
        .filter(slot -> slot.hapax == hapax)
        .flatMap(slot -> slot.running().map(process -> new Hit(slot, process)).stream());
  }

  /**
   * Freezes one running consumer of each kind while it holds a batch.
   *
   * @param later lets them go on after this time
   */
  List<Hit> freezeOneOfEach(Background.Step beforehand, Duration time, Background later)
      throws Exception {
    List<Hit> hits = holdOneOfEach(beforehand);
    // Before the first one is frozen: a failure at the second one must not leave it so.
    hits.forEach(hit -> later.later(time, "the end of a freeze", hit::thaw));
    for (Hit hit : hits) {
      hit.process.pause();
      hit.slot.frozen(true);
    }
    return hits;
  }

  /** Ends all consumers normally, and starts none until {@link #open()}. */
  void rest() throws InterruptedException {
    for (Slot slot : slots) {
      Optional<ConsumerProcess> process = slot.close();
      if (process.isPresent()) {
        end(process.get());
      }
    }
  }

  private static void end(ConsumerProcess process) throws InterruptedException {
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
