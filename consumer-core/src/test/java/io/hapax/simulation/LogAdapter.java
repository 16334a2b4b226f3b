package io.hapax.simulation;

import io.hapax.adapter.Handout;
import io.hapax.adapter.InFlightWindows;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.OffsetTracker;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort.LaneGroup;
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
  private final Hand shared;
  private int missing;

  /** What goes to the engine through the same lanes. */
  private final class Hand implements LaneGroup<Post> {

    private final LaneSource lanes = new LaneSource(process.engine());
    private final InFlightWindows<Post> windows =
        new InFlightWindows<>(this, post -> 0, world.time()::now);

    @Override
    public Submission submit(List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
      return LogAdapter.this.submit(lanes, messages, sink);
    }

    @Override
    public void restart(String lane) {
      lanes.restart(lane);
    }

    @Override
    public void close() {
      lanes.close();
    }

    void abandon(OffsetTracker<Post> offsets) {
      if (world.plan().lanes() == Plan.Lanes.ASSIGNMENT) {
        close();
      } else {
        windows.abandon(List.of(offsets));
      }
    }
  }

  /** A partition during one assignment. */
  private static final class Assigned {
    private final Partition partition;
    private final int epoch;
    private final Hand hand;
    private final OffsetTracker<Post> offsets;
    private boolean leaving;
    private long behindHighestFinished;

    Assigned(Partition partition, int epoch, Hand hand) {
      this.hand = hand;
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
    this.shared = new Hand();
  }

  @Override
  public void poll() {
    for (Hand hand : hands()) {
      var unused = hand.windows.applyOutcomes();
    }
    List<Assignment> assignments = broker.heartbeat(process);
    forgetWhatIsLost(assignments);
    for (Assignment each : assignments) {
      Assigned here =
          assigned.computeIfAbsent(each.partition(), it -> new Assigned(it, each.epoch(), hand()));
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

  private Hand hand() {
    return world.plan().lanes() == Plan.Lanes.ASSIGNMENT ? new Hand() : shared;
  }

  private List<Hand> hands() {
    return assigned.values().stream().map(it -> it.hand).distinct().toList();
  }

  private void read(Assigned here) {
    int from = (int) here.offsets.next().orElseThrow();
    List<Post> posts = broker.read(here.partition, from, READ_AT_ONCE);
    for (int i = 0; i < posts.size(); i++) {
      here.offsets.polled(Handout.always(posts.get(i)), from + i);
    }
  }

  private void forgetWhatIsLost(List<Assignment> assignments) {
    List<Assigned> lost = assigned.values().stream()
        .filter(here -> assignments.stream()
            .noneMatch(it -> it.partition() == here.partition && it.epoch() == here.epoch))
        .toList();
    for (Assigned here : lost) {
      here.hand.abandon(here.offsets);
      here.hand.windows.forget(List.of(here.offsets));
      assigned.remove(here.partition);
    }
  }

  private void leave(Assigned here) {
    here.hand.abandon(here.offsets);
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
    for (Hand hand : hands()) {
      for (List<OffsetTracker<Post>> ready = ready(hand); !ready.isEmpty(); ready = ready(hand)) {
        hand.windows.submit(ready, world.plan().window());
      }
    }
  }

  private List<OffsetTracker<Post>> ready(Hand hand) {
    return assigned.values().stream()
        .filter(it -> it.hand == hand && !it.leaving)
        .map(it -> it.offsets)
        .filter(it -> !hand.lanes.closed() || !it.underway())
        .filter(this::ready)
        .toList();
  }

  private boolean ready(OffsetTracker<Post> offsets) {
    int ahead =
        world.plan().lanes() == Plan.Lanes.SUBMISSION ? 0 : 2 * world.plan().window();
    return offsets.ready(world.time().now(), ahead)
        || (world.makes(Mistake.ADAPTER_OVERTAKES)
            && offsets.buffered() > 0
            && !offsets.stopped()); // from a stopped lane, the tracker takes nothing
  }

  private Submission submit(
      LaneSource lanes, List<Incoming<Post>> messages, Submission.OutcomeSink sink) {
    if (missing > 0 && world.plan().lanes() != Plan.Lanes.SUBMISSION) {
      world.witness().tally.ahead++;
    }
    world.witness().note(() -> process + " hands in " + messages);
    missing += messages.size();
    boolean early = world.makes(Mistake.ADAPTER_ACKNOWLEDGES_BEFORE_SETTLE);
    if (early) {
      IntStream.range(0, messages.size()).forEach(i -> sink.accept(i, new Outcome.Duplicate()));
    }
    Submission.OutcomeSink observed = (index, outcome) -> {
      if (!process.life().over()) {
        missing--;
        Outcome told = told(messages.get(index), outcome);
        if (!early) {
          sink.accept(index, told);
        }
      }
    };
    if (world.plan().lanes() != Plan.Lanes.SUBMISSION) {
      return lanes.submit(messages, observed);
    }
    return world.plan().handlesHere()
        ? process.handleHere(messages, observed)
        : process.engine().submit(messages, observed);
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
