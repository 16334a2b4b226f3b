package io.hapax.internal.message;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.runtime.CallerQueue;
import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tracks the messages of one submission until each has its outcome. */
public final class ActiveSubmission<M> implements Submission {

  /**
   * The place of a submission among those of an assignment: its lanes by name, as they were when it
   * was submitted. A lane that is restarted later is another one. The group is compared by
   * identity.
   */
  public record Position(Object group, Map<String, OpenLane> byName) {

    /** Stops its lanes: some of its messages were deferred before they came into them. */
    public void stopLanes() {
      byName.values().forEach(OpenLane::stopAtEnd);
    }
  }

  /** A receiver that fails wakes no thread that waits. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  final Outcomes.Reactions<M> reactions;
  final Outcomes<M> outcomes;
  final Submission.OutcomeSink sink;
  final Ticker ticker;
  private final List<Incoming<M>> incoming;
  private final Optional<Position> position;
  private final Optional<CallerQueue> caller;
  private final CountDownLatch open;
  private final long submittedNanos;
  private volatile List<InFlightMessage<M>> messages = List.of();
  private volatile boolean abandoned;
  private volatile OptionalLong endingSince = OptionalLong.empty();
  private volatile boolean broken;

  /** What runs when messages were given up or all have ended. The lock of this guards it. */
  private final List<Runnable> actions = new ArrayList<>(2);

  /**
   * Of messages of open lanes, which have a position, or for the thread that submits them and runs
   * the user's code, which has a queue.
   */
  public ActiveSubmission(
      Outcomes.Reactions<M> reactions,
      Submission.OutcomeSink sink,
      List<Incoming<M>> incoming,
      Ticker ticker,
      Optional<Position> position,
      Optional<CallerQueue> caller) {
    this.reactions = reactions;
    this.outcomes = reactions.outcomes();
    this.sink = sink;
    this.incoming = incoming;
    this.position = position;
    this.caller = caller;
    caller.ifPresent(it -> actions.add(it::wake));
    this.open = new CountDownLatch(incoming.size());
    this.ticker = ticker;
    this.submittedNanos = ticker.nanos();
  }

  public Optional<Position> position() {
    return position;
  }

  /** Returns a lane of its messages; a new one if its lanes end with it. */
  OpenLane lane(String name) {
    return position
        .map(it -> Objects.requireNonNull(it.byName().get(name), name))
        .orElseGet(() -> new OpenLane(true));
  }

  /** Returns whether the submitting thread runs the user's code for its messages. */
  public boolean runsOnCallerThread() {
    return caller.isPresent();
  }

  /** Returns what runs the user's code for the message at a place: its thread, or a worker. */
  Executor executor(int place, Executor workers) {
    return caller.isPresent() ? caller.get().at(place) : workers;
  }

  /** Returns an action that queues all of its work before the submitting thread runs any of it. */
  public Runnable together(Runnable queueing) {
    return caller.isPresent() ? () -> caller.get().addTogether(queueing) : queueing;
  }

  List<Incoming<M>> incoming() {
    return incoming;
  }

  /** Takes its messages as they were read; returns false if it was given up before. */
  public synchronized boolean become(List<InFlightMessage<M>> read) {
    boolean unread = messages.isEmpty();
    messages = unread ? read : messages;
    return unread;
  }

  /** Returns its messages; empty until they are read. */
  public List<InFlightMessage<M>> messages() {
    return messages;
  }

  /** Returns its messages; if they are not read yet, they can only be given up from now on. */
  List<InFlightMessage<M>> readOrNot() {
    if (messages.isEmpty()) {
      var unused = become(IntStream.range(0, incoming.size())
          .mapToObj(i -> InFlightMessage.unmarked(this, i, incoming.get(i), Optional.empty()))
          .toList());
    }
    return messages;
  }

  Duration age(long nowNanos) {
    return Duration.ofNanos(Math.max(0, nowNanos - submittedNanos));
  }

  public boolean abandoned() {
    return abandoned || (caller.isPresent() && caller.get().interrupted());
  }

  /** Returns whether an unexpected exception has deferred one of its messages. */
  public boolean broken() {
    return broken;
  }

  /** Records the outcome of one message; returns true for the last one. */
  boolean countDown(Outcome outcome) {
    broken |=
        outcome instanceof Outcome.Deferred it && it.reason() == Outcome.Reason.INTERNAL_ERROR;
    open.countDown();
    return over();
  }

  public boolean over() {
    return open.getCount() == 0;
  }

  /**
   * Runs an action once every message has its outcome: now, if that is so. Also runs it whenever
   * messages were given up before.
   */
  public void whenGivenUpOrOver(Runnable action) {
    if (!add(action)) {
      action.run();
    }
  }

  private synchronized boolean add(Runnable action) {
    return !over() && actions.add(action);
  }

  /** Runs those actions, also after the last outcome. */
  void runActions() {
    actions().forEach(Runnable::run);
  }

  private synchronized List<Runnable> actions() {
    return List.copyOf(actions);
  }

  @Override
  public void abandon() {
    endingSince = OptionalLong.of(ticker.nanos());
    giveUp();
  }

  /** Gives up messages that have not started, without the start of a drain. */
  public void giveUp() {
    abandoned = true;
    outcomes.env.run(() -> {
      outcomes.giveUp(readOrNot(), Deferrals.ABANDONED);
      runActions();
    });
  }

  /** Gives up all but running handlers, whose messages follow when it is repeated after them. */
  public void leaveToOthers() {
    abandoned = true;
    readOrNot().stream()
        .filter(message -> !message.isHandling())
        .forEach(message -> outcomes.finish(message, Deferrals.ABANDONED));
  }

  /**
   * Returns when its caller last abandoned it, which starts the drain timeout; now if it never did.
   * A receiver that is closed after its adapter does not wait for the same handlers again.
   */
  long drainingSince() {
    return endingSince.orElseGet(ticker::nanos);
  }

  @Override
  public void awaitOrAbandon(Duration patience) throws InterruptedException {
    try {
      if (!await(patience)) {
        giveUp();
        await(Duration.ofNanos(Long.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      giveUp();
      throw e;
    }
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(atMost);
    while (!open.await(Math.min(left, LONGEST_WAIT_NANOS), TimeUnit.NANOSECONDS)) {
      outcomes.env.failStop().requireRunning();
      left -= LONGEST_WAIT_NANOS;
      if (left <= 0) {
        return false;
      }
    }
    return true;
  }

  /** Does the same, also after the end of the receiver. */
  void awaitEnd(long nanos) throws InterruptedException {
    boolean unused = open.await(nanos, TimeUnit.NANOSECONDS);
  }
}
