package io.hapax.simulation;

import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.OffsetTracker;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.simulation.LogBroker.Assignment;
import io.hapax.simulation.LogBroker.Partition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Reads partitions with the bookkeeping of the real adapters, submits what is ready, and commits
 * the lowest unfinished offset of each.
 */
final class LogAdapter implements Adapter {

  private static final int READ_AT_ONCE = 4;

  private final ConsumerProcess process;
  private final World world;
  private final LogBroker broker;
  private final Map<Partition, Assigned> assigned = new LinkedHashMap<>();
  private final InFlightWindows<Post> windows;
  private int missing;

  /** A partition during one assignment. */
  private static final class Assigned {
    private final Partition partition;
    private final int epoch;
    private final OffsetTracker<Post> offsets;
    private boolean leaving;
    private long behindHighestFinished;

    Assigned(Partition partition, int epoch) {
      this.partition = partition;
      this.epoch = epoch;
      this.offsets = new OffsetTracker<>("log-" + partition.number());
      this.behindHighestFinished = partition.committed();
      offsets.positioned(partition.committed());
    }
  }

  LogAdapter(ConsumerProcess process, LogBroker broker) {
    this.process = process;
    this.world = process.world();
    this.broker = broker;
    this.windows = new InFlightWindows<>(this::submit, post -> 0, world.time()::now);
  }

  @Override
  public void poll() {
    var unused = windows.applyOutcomes();
    List<Assignment> assignments = broker.heartbeat(process);
    forgetWhatIsLost(assignments);
    for (Assignment each : assignments) {
      Assigned here =
          assigned.computeIfAbsent(each.partition(), it -> new Assigned(it, each.epoch()));
      here.leaving = each.leaving();
      if (each.leaving()) {
        leave(here);
      } else {
        read(here);
      }
    }
    submitReady();
    assigned.values().forEach(this::commit);
  }

  private void read(Assigned here) {
    int from = (int) here.offsets.next().orElseThrow();
    List<Post> posts = broker.read(here.partition, from, READ_AT_ONCE);
    for (int i = 0; i < posts.size(); i++) {
      here.offsets.polled(posts.get(i), from + i);
    }
  }

  private void forgetWhatIsLost(List<Assignment> assignments) {
    List<Assigned> lost = assigned.values().stream()
        .filter(here -> assignments.stream()
            .noneMatch(it -> it.partition() == here.partition && it.epoch() == here.epoch))
        .toList();
    for (Assigned here : lost) {
      windows.abandon(List.of(here.offsets));
      windows.forget(List.of(here.offsets));
      assigned.remove(here.partition);
    }
  }

  private void leave(Assigned here) {
    windows.abandon(List.of(here.offsets));
    if (!here.offsets.underway()) {
      commit(here);
      broker.giveBack(here.partition, here.epoch);
    }
  }

  private void commit(Assigned here) {
    long offset = world.makes(Mistake.ADAPTER_COMMITS_THE_HIGHEST)
        ? here.behindHighestFinished
        : here.offsets.lowestUnfinished().orElseThrow();
    broker.commit(here.partition, here.epoch, (int) offset);
  }

  private void submitReady() {
    List<OffsetTracker<Post>> ready = assigned.values().stream()
        .filter(it -> !it.leaving)
        .map(it -> it.offsets)
        .filter(this::ready)
        .toList();
    if (!ready.isEmpty()) {
      windows.submit(ready, world.plan().window());
    }
  }

  private boolean ready(OffsetTracker<Post> offsets) {
    return offsets.ready(world.time().now())
        || (world.makes(Mistake.ADAPTER_OVERTAKES)
            && offsets.buffered() > 0
            && !offsets.waiting(world.time().now()));
  }

  private Submission submit(List<Incoming<Post>> messages, OutcomeSink sink) {
    world.witness().note(() -> process + " hands in " + messages);
    missing += messages.size();
    boolean early = world.makes(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE);
    if (early) {
      IntStream.range(0, messages.size()).forEach(i -> sink.accept(i, new Outcome.Duplicate()));
    }
    return process.engine().submit(messages, (index, outcome) -> {
      if (!process.life().over()) {
        missing--;
        Outcome told = told(messages.get(index), outcome);
        if (!early) {
          sink.accept(index, told);
        }
      }
    });
  }

  /** Returns the outcome as the adapter understands it. */
  private Outcome told(Incoming<Post> message, Outcome outcome) {
    world.witness().note(() -> process + " outcome of " + message.message() + ": " + outcome);
    if (!outcome.mayAcknowledge() && !world.makes(Mistake.ADAPTER_ACKNOWLEDGES_DEFERRALS)) {
      return outcome;
    }
    int offset = Integer.parseInt(message.coordinates().replaceFirst(".*@", ""));
    assigned.values().stream()
        .filter(it -> it.offsets.partition().equals(message.lane()))
        .forEach(it -> it.behindHighestFinished = Math.max(it.behindHighestFinished, offset + 1L));
    return outcome.mayAcknowledge() ? outcome : new Outcome.Duplicate();
  }

  @Override
  public boolean idle() {
    return missing == 0;
  }
}
