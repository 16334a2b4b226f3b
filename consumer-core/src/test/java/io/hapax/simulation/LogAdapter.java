package io.hapax.simulation;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.simulation.LogBroker.Assignment;
import io.hapax.simulation.LogBroker.Partition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads partitions, hands in what is ready, and commits the lowest unfinished offset of each. */
final class LogAdapter implements Adapter {

  private final ConsumerProcess process;
  private final World world;
  private final LogBroker broker;
  private final Map<Partition, Tracker> trackers = new LinkedHashMap<>();
  private final List<Flight> flights = new ArrayList<>();

  /** What was handed in together. */
  private static final class Flight {
    private final List<Tracker> trackers;
    private int open;
    private Optional<Submission> submission = Optional.empty();

    Flight(List<Tracker> trackers, int open) {
      this.trackers = trackers;
      this.open = open;
    }
  }

  LogAdapter(ConsumerProcess process, LogBroker broker) {
    this.process = process;
    this.world = process.world();
    this.broker = broker;
  }

  @Override
  public void poll() {
    List<Assignment> assignments = broker.heartbeat(process);
    forgetWhatIsLost(assignments);
    for (Assignment each : assignments) {
      Tracker tracker = trackers.computeIfAbsent(
          each.partition(), it -> new Tracker(it, each.epoch(), it.committed()));
      tracker.leaving(each.leaving());
      if (each.leaving()) {
        leave(tracker);
      } else {
        tracker.polled(broker.read(each.partition(), tracker.position(), 4));
      }
    }
    handIn();
    trackers.values().forEach(this::commit);
  }

  private void forgetWhatIsLost(List<Assignment> assignments) {
    List<Tracker> lost = trackers.values().stream()
        .filter(tracker -> assignments.stream()
            .noneMatch(
                it -> it.partition() == tracker.partition() && it.epoch() == tracker.epoch()))
        .toList();
    for (Tracker tracker : lost) {
      abandon(tracker);
      trackers.remove(tracker.partition());
    }
  }

  private void leave(Tracker tracker) {
    abandon(tracker);
    if (!tracker.underway()) {
      commit(tracker);
      broker.giveBack(tracker.partition(), tracker.epoch());
    }
  }

  private void abandon(Tracker tracker) {
    List<Submission> concerned = flights.stream()
        .filter(flight -> flight.trackers.contains(tracker))
        .flatMap(flight -> flight.submission.stream())
        .toList();
    concerned.forEach(Submission::abandon);
  }

  private void commit(Tracker tracker) {
    broker.commit(
        tracker.partition(),
        tracker.epoch(),
        world.makes(Mistake.ADAPTER_COMMITS_THE_HIGHEST)
            ? tracker.behindHighestFinished()
            : tracker.lowestUnfinished());
  }

  private void handIn() {
    List<Tracker> ready = new ArrayList<>();
    List<Tracker.Slot> slots = new ArrayList<>();
    for (Tracker tracker : trackers.values()) {
      if (tracker.ready(world.time().now(), world.makes(Mistake.ADAPTER_OVERTAKES))) {
        ready.add(tracker);
        slots.addAll(tracker.take(world.plan().window()));
      }
    }
    if (slots.isEmpty()) {
      return;
    }
    List<Incoming<Post>> messages = slots.stream().map(LogAdapter::incoming).toList();
    world.witness().note(() -> process + " hands in " + messages);
    Flight flight = new Flight(ready, slots.size());
    flights.add(flight);
    flight.submission = Optional.of(process
        .engine()
        .submit(messages, (index, outcome) -> outcome(flight, slots.get(index), outcome)));
    if (world.makes(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE)) {
      slots.forEach(slot -> slot.finished = true);
    }
  }

  private static Incoming<Post> incoming(Tracker.Slot slot) {
    String lane = "log-" + slot.tracker.partition().number();
    return new Incoming<>(slot.post, lane, lane + "@" + slot.offset, slot.tracker.probation());
  }

  private void outcome(Flight flight, Tracker.Slot slot, Outcome outcome) {
    if (process.life().over()) {
      return;
    }
    world.witness().note(() -> process + " outcome of " + slot.post + ": " + outcome);
    if (--flight.open == 0) {
      flights.remove(flight);
    }
    boolean over = outcome.mayAcknowledge() || world.makes(Mistake.ADAPTER_ACKNOWLEDGES_DEFERRALS);
    if (over) {
      slot.tracker.finished(slot);
    } else {
      slot.tracker.deferred(
          world.time().now() + ((Outcome.Deferred) outcome).after().toNanos());
    }
  }

  @Override
  public boolean idle() {
    return flights.isEmpty();
  }
}
