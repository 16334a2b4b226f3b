package io.hapax.chaos;

import io.hapax.console.trial.TrialConsumer;
import io.hapax.console.trial.TrialConsumer.State;
import io.hapax.console.trial.TrialLane;
import io.hapax.console.trial.TrialStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All consumers of the live demo: those with Hapax, and the plain loop. */
final class Crew implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

  /** Long enough for a batch of messages that were just published. */
  private static final Duration UNTIL_HELD = Duration.ofSeconds(5);

  private final List<Slot> slots = new ArrayList<>();
  private final List<Reporter> reporters = new CopyOnWriteArrayList<>();
  private int turn;

  /** The reports of a process with Hapax, which may have ended. */
  private record Reporter(String name, ReportReader reports) {}

  record Hit(String name, TrialLane lane, ConsumerProcess process) {

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

  Crew(Callable<ConsumerProcess> hapax, int members, Callable<ConsumerProcess> loop) {
    for (int i = 1; i <= members; i++) {
      String name = "hapax-" + i;
      slots.add(new Slot(name, TrialLane.HAPAX, () -> {
        ConsumerProcess process = hapax.call();
        reporters.add(new Reporter(name, process.reports()));
        return process;
      }));
    }
    slots.add(new Slot("plain-1", TrialLane.LOOP, loop));
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
    return reporters.stream().map(Reporter::reports).mapToLong(figure).sum();
  }

  /**
   * Returns which other consumers with Hapax completed orders that a hit one had in flight, and how
   * long that took; empty if there are none yet.
   */
  Optional<TrialStep> takenOver(Hit hit, long nanos, Set<String> inFlight) {
    Set<String> names = new TreeSet<>();
    Set<String> orders = new HashSet<>();
    Duration longest = Duration.ZERO;
    for (Reporter other : reporters) {
      Map<String, Duration> times = other.reports() == hit.process.reports()
          ? Map.of()
          : other.reports().executedAfter(nanos, inFlight, false);
      for (Map.Entry<String, Duration> time : times.entrySet()) {
        names.add(other.name());
        orders.add(time.getKey());
        longest = longest.compareTo(time.getValue()) < 0 ? time.getValue() : longest;
      }
    }
    String seconds = String.format(Locale.ROOT, "%.1f", longest.toMillis() / 1e3);
    return orders.isEmpty() || hit.lane != TrialLane.HAPAX
        ? Optional.empty()
        : Optional.of(TrialStep.of(
            TrialStep.Kind.TAKEN_OVER, seconds, String.join(", ", names), orders.size()));
  }

  List<TrialConsumer> show() {
    return slots.stream().map(Slot::show).toList();
  }

  boolean isComplete() {
    return Stream.of(TrialLane.values()).allMatch(this::isComplete);
  }

  boolean isComplete(TrialLane lane) {
    return slots.stream()
        .filter(slot -> slot.lane == lane)
        .allMatch(slot -> slot.running().isPresent());
  }

  /**
   * Lets one running consumer of each kind hold a batch with some of the placed orders. The
   * consumers with Hapax take turns. One may hold none if others got all messages. If the request
   * or the placing fails, none is held.
   */
  List<Hit> holdOneOfEach(Callable<Set<String>> placing) throws Exception {
    List<Hit> hits = oneOfEach();
    try {
      List<Long> requests = new ArrayList<>();
      for (Hit hit : hits) {
        requests.add(hit.process.slowDown(true));
      }
      Set<String> orders = placing.call();
      for (int i = 0; i < hits.size(); i++) {
        awaitHeld(hits.get(i).process, requests.get(i), orders);
      }
      return hits;
    } catch (Exception e) {
      hits.forEach(hit -> hit.release(e));
      throw e;
    }
  }

  /** A batch may have only orders that came before the placed ones: then the next one is held. */
  private static void awaitHeld(ConsumerProcess process, long request, Set<String> orders)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + UNTIL_HELD.toNanos();
    ReportReader reports = process.reports();
    long next = request;
    while (reports.awaitPaused(next, Duration.ofNanos(end - System.nanoTime()).toMillis())
        && Collections.disjoint(reports.inFlight(), orders)) {
      next = process.slowDown(true);
    }
  }

  private synchronized List<Hit> oneOfEach() {
    List<Hit> hapax = running(TrialLane.HAPAX, "with Hapax");
    List<Hit> loop = running(TrialLane.LOOP, "of the plain loop");
    Hit next = hapax.get(turn++ % hapax.size());
    return Stream.concat(Stream.of(next), loop.stream()).toList();
  }

  private List<Hit> running(TrialLane lane, String name) {
    List<Hit> running = slots.stream()
        .filter(slot -> slot.lane == lane)
        .flatMap(slot -> slot.running().map(process -> new Hit(slot.name, lane, process)).stream())
        .toList();
    if (running.isEmpty()) {
      throw new IllegalStateException("no consumer " + name + " is running now: wait some seconds");
    }
    return running;
  }

  /** Freezes one running consumer of each kind while it holds a batch. */
  List<Hit> freezeOneOfEach(Callable<Set<String>> placing, Duration time, Background later)
      throws Exception {
    List<Hit> hits = holdOneOfEach(placing);
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

    private static final Duration PAUSE = Duration.ofSeconds(3);

    final String name;
    final TrialLane lane;
    private final Callable<ConsumerProcess> launcher;
    private @Nullable ConsumerProcess process;
    private long endedNanos = System.nanoTime() - PAUSE.toNanos();
    private boolean closed;

    Slot(String name, TrialLane lane, Callable<ConsumerProcess> launcher) {
      this.name = name;
      this.lane = lane;
      this.launcher = launcher;
    }

    synchronized void supervise() throws Exception {
      if (process != null && !process.isAlive()) {
        process = null;
        endedNanos = System.nanoTime();
      }
      if (process == null && !closed && System.nanoTime() - endedNanos >= PAUSE.toNanos()) {
        process = launcher.call();
      }
    }

    synchronized Optional<ConsumerProcess> close() {
      closed = true;
      return Optional.ofNullable(process);
    }

    synchronized void open() {
      closed = false;
      endedNanos = System.nanoTime() - PAUSE.toNanos();
    }

    synchronized Optional<ConsumerProcess> running() {
      return state() == State.RUNNING ? Optional.ofNullable(process) : Optional.empty();
    }

    synchronized TrialConsumer show() {
      State state = state();
      OptionalLong pid = process == null || state == State.ENDED
          ? OptionalLong.empty()
          : OptionalLong.of(process.pid());
      return new TrialConsumer(name, lane, pid, state);
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
