package io.hapax.demo.live;

import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialConsumer.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All consumers of the live demo: those with Hapax, and the naive one. */
final class Crew implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

  /** Long enough for a batch of messages that were just published. */
  private static final long UNTIL_HELD_MILLIS = 5_000;

  private final List<Slot> slots = new ArrayList<>();
  private final List<ReportReader> reports = new CopyOnWriteArrayList<>();
  private int turn;

  record Hit(String name, ConsumerProcess process) {

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
      }
    }
  }

  Crew(Callable<ConsumerProcess> hapax, int members, Callable<ConsumerProcess> naive) {
    for (int i = 1; i <= members; i++) {
      slots.add(new Slot("hapax-" + i, true, () -> {
        ConsumerProcess process = hapax.call();
        reports.add(process.reports());
        return process;
      }));
    }
    slots.add(new Slot("naive", false, naive));
  }

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

  /** Adds up a figure of all consumers with Hapax, also of those that have ended. */
  long sum(ToLongFunction<ReportReader> figure) {
    return reports.stream().mapToLong(figure).sum();
  }

  List<TrialConsumer> show() {
    return slots.stream().map(Slot::show).toList();
  }

  boolean isComplete() {
    return slots.stream().allMatch(slot -> slot.running().isPresent());
  }

  /**
   * Lets one running consumer of each kind hold a batch. The consumers with Hapax take turns. One
   * may hold no batch if others got all messages. If the request or the step fails, none is held.
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
        .flatMap(slot -> slot.running().map(process -> new Hit(slot.name, process)).stream());
  }

  /** Freezes one running consumer of each kind while it holds a batch. */
  List<Hit> freezeOneOfEach(Background.Step beforehand, Duration time, Background later)
      throws Exception {
    List<Hit> hits = holdOneOfEach(beforehand);
    // Before the first one is frozen: a failure at the second one must not leave it so.
    hits.forEach(hit -> later.later(time, "the end of a freeze", hit::thaw));
    for (Hit hit : hits) {
      hit.process.pause();
    }
    return hits;
  }

  /** Ends all consumers normally, and starts none until {@link #open()}. */
  void rest() throws InterruptedException {
    for (ConsumerProcess process : closeSlots()) {
      end(process);
    }
  }

  private List<ConsumerProcess> closeSlots() {
    return slots.stream().flatMap(slot -> slot.close().stream()).toList();
  }

  private static void end(ConsumerProcess process) throws InterruptedException {
    try {
      process.stop();
    } catch (IOException | IllegalStateException e) {
      LOG.debug("process {} did not end normally", process.pid(), e);
      process.kill();
    }
  }

  void open() {
    slots.forEach(Slot::open);
  }

  @Override
  public void close() throws InterruptedException {
    for (ConsumerProcess process : closeSlots()) {
      process.kill();
    }
  }

  /**
   * The place of one consumer. Its process is replaced some seconds after it has ended, unless the
   * place is closed. Thread-safe.
   */
  static final class Slot {

    /** The time between the end of a process and the start of the next one. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    final String name;
    final boolean hapax;
    private final Callable<ConsumerProcess> launcher;
    private @Nullable ConsumerProcess process;
    private long endedNanos = System.nanoTime() - PAUSE.toNanos();
    private boolean closed;

    Slot(String name, boolean hapax, Callable<ConsumerProcess> launcher) {
      this.name = name;
      this.hapax = hapax;
      this.launcher = launcher;
    }

    /** Starts a process if the last one has ended long enough ago. */
    synchronized void supervise() throws Exception {
      if (process != null && !process.isAlive()) {
        process = null;
        endedNanos = System.nanoTime();
      }
      if (process == null && !closed && System.nanoTime() - endedNanos >= PAUSE.toNanos()) {
        process = launcher.call();
      }
    }

    /** Prevents further starts, and returns the process if there is one. */
    synchronized Optional<ConsumerProcess> close() {
      closed = true;
      return Optional.ofNullable(process);
    }

    /** Permits starts again, the next one at once. */
    synchronized void open() {
      closed = false;
      endedNanos = System.nanoTime() - PAUSE.toNanos();
    }

    /** Returns the process if it reads. */
    synchronized Optional<ConsumerProcess> running() {
      return state() == State.RUNNING ? Optional.ofNullable(process) : Optional.empty();
    }

    synchronized TrialConsumer show() {
      State state = state();
      OptionalLong pid = process == null || state == State.ENDED
          ? OptionalLong.empty()
          : OptionalLong.of(process.pid());
      return new TrialConsumer(name, hapax, pid, state);
    }

    private State state() {
      if (process == null || !process.isAlive()) {
        return State.ENDED;
      } else if (process.isPaused()) {
        return State.FROZEN;
      }
      return process.reports().ready() ? State.RUNNING : State.STARTING;
    }
  }
}
