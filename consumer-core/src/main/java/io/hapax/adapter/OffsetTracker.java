package io.hapax.adapter;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which messages of one partition or queue are finished, during one assignment. The object
 * is the epoch: an adapter creates one when the partition is assigned and drops it when the
 * partition is revoked or lost. An outcome that arrives late changes only the dropped object.
 *
 * <p>Offsets may have gaps: transaction markers, compaction and filters leave some out. The offset
 * that may be committed is that of the lowest polled message that is not finished; if all are
 * finished, it is the next offset to poll.
 *
 * <p>Not thread-safe: it belongs to the poll thread. Times are nanoseconds of the monotonic clock,
 * and the caller passes them in.
 *
 * @param <M> the broker's message
 */
public final class OffsetTracker<M> {

  private static final long UNKNOWN = -1;

  private final String partition;
  private final TrackedLanes<M> lanes;
  private final Deque<PolledMessage<M>> messages = new ArrayDeque<>();
  private int unfinished;
  private int underway;
  private long next = UNKNOWN;
  private boolean probation = true;
  private boolean dropped;
  private @Nullable PolledMessage<M> lastRemoved;

  /**
   * Starts an assignment of a partition whose messages run one after the other.
   *
   * @param partition names the partition or queue, for people; it is also the lane of its messages
   */
  public OffsetTracker(String partition) {
    this(partition, Ordering.byPartition());
  }

  /**
   * Starts an assignment.
   *
   * @param partition names the partition or queue, for people
   * @param ordering says which messages run one after the other
   */
  public OffsetTracker(String partition, Ordering<M> ordering) {
    this.partition = partition;
    this.lanes = new TrackedLanes<>(partition, ordering);
  }

  /** {@return the name of the partition or queue} */
  public String partition() {
    return partition;
  }

  /**
   * Adds a message, in the order of the partition.
   *
   * @param handout gives the message to the handler
   * @param offset its offset; not below {@link #next()}, see {@link #cutFrom}
   */
  public void polled(Handout<M> handout, long offset) {
    M message = handout.received();
    messages.addLast(new PolledMessage<>(this, lanes.polled(message), message, handout, offset));
    unfinished++;
    next = offset + 1;
  }

  /**
   * Sets the next offset to poll, where the broker's client reports it.
   *
   * @param offset the offset; not below {@link #next()}, see {@link #cutFrom}
   */
  public void positioned(long offset) {
    next = offset;
  }

  /** {@return the next offset to poll; empty until a message was polled or a position set} */
  public OptionalLong next() {
    return next == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /**
   * Forgets messages from an offset on, if the offset is below the next one. Offsets never go down
   * unless the log was truncated, or the topic was created anew: what was polled from there on does
   * not exist any more, or is polled again.
   *
   * @param offset the offset of the next message or position
   * @return whether the offset is below the next one; offsets that were committed then mean nothing
   */
  public boolean cutFrom(long offset) {
    if (offset >= next) {
      return false;
    }
    for (PolledMessage<M> tail = messages.peekLast();
        tail != null && tail.offset() >= offset;
        tail = messages.peekLast()) {
      messages.removeLast();
      finish(tail);
    }
    if (lastRemoved != null && lastRemoved.offset() >= offset) {
      lastRemoved = null; // it is not in front of the next message
    }
    return true;
  }

  private void finish(PolledMessage<M> message) {
    if (message.finished) {
      return;
    }
    message.finished = true;
    unfinished--;
    lanes.finished(message);
  }

  /**
   * {@return whether {@link #take} may be called for a window while earlier ones are in flight:
   * messages wait that no deferred message holds back} A deferred message is submitted again once
   * no message of its lane is in flight and its wait has passed, and those behind it follow.
   *
   * <p>Messages that are finished behind one in flight count as in flight. So a message whose
   * outcome never arrives stops its partition, and {@link #problem} names it.
   *
   * @param nowNanos the time
   * @param limit the most messages in flight before the window is submitted; 0 or more
   */
  public boolean ready(long nowNanos, int limit) {
    if (buffered() <= 0) { // below zero while cut messages are in flight
      return false;
    }
    if (underway > 0 && messages.size() - buffered() > limit && !headIsReady(nowNanos)) {
      return false;
    }
    return lanes.single()
        ? lanes.ofPartition().ready(nowNanos)
        : messages.stream().anyMatch(it -> it.waits() && it.lane().ready(nowNanos));
  }

  /** The lowest message must not wait for others: they are kept in memory because of it. */
  private boolean headIsReady(long nowNanos) {
    PolledMessage<M> head = messages.peekFirst();
    return head != null && head.waits() && head.lane().ready(nowNanos);
  }

  /** {@return whether a deferred message, the first to {@link #take}, holds all others back} */
  public boolean stopped() {
    return lanes.ofPartition().stopped();
  }

  /**
   * {@return whether a deferred message that holds back the whole partition has to wait}
   *
   * @param nowNanos the time
   */
  public boolean waiting(long nowNanos) {
    return !remaining(nowNanos).isZero();
  }

  /**
   * {@return the rest of the wait for a deferred message that holds back the partition, or zero}
   *
   * @param nowNanos the time
   */
  public Duration remaining(long nowNanos) {
    return lanes.ofPartition().remaining(nowNanos);
  }

  /** {@return how many messages are kept: from the lowest unfinished one on, finished or not} */
  public int kept() {
    return messages.size();
  }

  /** {@return how many messages are polled, not finished and not in flight} */
  public int buffered() {
    return unfinished - underway;
  }

  /** {@return whether messages are in flight: submitted and without an outcome} */
  public boolean underway() {
    return underway > 0;
  }

  /** {@return how many messages are in flight} */
  public int inFlight() {
    return underway;
  }

  /**
   * {@return whether the lowest unfinished message has waited too long for an outcome of its lane}
   *
   * @param nowNanos the time
   * @param limit how long no outcome may arrive
   */
  public boolean silent(long nowNanos, Duration limit) {
    PolledMessage<M> head = messages.peekFirst();
    return head != null && head.lane().silent(nowNanos, limit);
  }

  /** {@return whether no window was finished as a whole yet, for {@link Incoming#probation()}} */
  public boolean probation() {
    return probation;
  }

  /**
   * Takes the first messages that nothing holds back, for a submission.
   *
   * @param limit the most messages
   * @param nowNanos the time
   * @return the messages, in order; each needs an outcome, see {@link #resolved}
   */
  public List<PolledMessage<M>> take(int limit, long nowNanos) {
    return take(limit, nowNanos, lane -> {});
  }

  /** Takes messages; {@code restarted} gets each stopped lane before its messages are taken. */
  List<PolledMessage<M>> take(int limit, long nowNanos, Consumer<String> restarted) {
    List<PolledMessage<M>> window = new ArrayList<>(Math.min(limit, buffered()));
    for (PolledMessage<M> message : messages) {
      if (window.size() == limit) {
        break;
      }
      TrackedLane<M> lane = message.lane();
      if (message.waits() && lane.ready(nowNanos)) {
        if (lane.stopped()) {
          restarted.accept(lane.name());
          lane.restart();
        }
        message.submitted = true;
        lane.taken(nowNanos);
        window.add(message);
      }
    }
    underway += window.size();
    return window;
  }

  /**
   * Applies the outcome of a message that was taken. A deferred message is taken again.
   *
   * @param message the message
   * @param outcome its outcome
   * @param nowNanos the time
   */
  public void resolved(PolledMessage<M> message, Outcome outcome, long nowNanos) {
    underway--;
    message.lane().resolved(nowNanos);
    message.submitted = false;
    if (outcome instanceof Outcome.Deferred deferred && !message.finished) {
      message.lane().deferred(message, deferred, nowNanos);
    } else {
      finish(message);
      removeFinishedPrefix();
    }
    lanes.resolved(message);
    if (underway == 0 && !message.lane().stopped()) {
      probation = false;
    }
  }

  /** Returns whether nothing of the message's lane remains, so that the lane can be forgotten. */
  boolean ended(PolledMessage<M> message) {
    return lanes.ended(message.lane(), dropped);
  }

  /** Ends the assignment; returns the names of its lanes. Lanes in flight end later. */
  Set<String> drop() {
    dropped = true;
    Set<String> names = new LinkedHashSet<>();
    names.add(partition);
    messages.forEach(message -> names.add(message.lane().name()));
    return names;
  }

  /** Returns whether a message that is deferred holds back those behind it in its lane. */
  boolean inOrder() {
    return lanes.inOrder();
  }

  private void removeFinishedPrefix() {
    for (PolledMessage<M> head = messages.peekFirst();
        head != null && head.finished;
        head = messages.peekFirst()) {
      lastRemoved = head;
      messages.removeFirst();
    }
  }

  /**
   * {@return the lowest offset that is not finished, which may be committed: that of the lowest
   * unfinished message, or the next offset to poll; empty until one is known}
   */
  public OptionalLong lowestUnfinished() {
    PolledMessage<M> head = messages.peekFirst();
    return head == null ? next() : OptionalLong.of(head.offset());
  }

  /** {@return the lowest unfinished message; empty if all polled messages are finished} */
  public Optional<PolledMessage<M>> firstUnfinished() {
    return Optional.ofNullable(messages.peekFirst());
  }

  /**
   * {@return where the broker must be read again: the offset of the lowest message that waits for
   * another call and whose handout is spent; empty if each waiting message can be submitted}
   */
  public OptionalLong firstSpent() {
    for (PolledMessage<M> message : messages) {
      if (message.waits() && message.handout().isSpent()) {
        return OptionalLong.of(message.offset());
      }
    }
    return OptionalLong.empty();
  }

  /**
   * {@return the message in front of the lowest unfinished one; empty until a message is finished
   * whose predecessors are finished, too}
   */
  public Optional<M> lastFinished() {
    return lastRemoved == null ? Optional.empty() : Optional.of(lastRemoved.message());
  }

  /**
   * {@return why the partition does not move; empty while nothing is wrong}
   *
   * @param nowNanos the time
   * @param silence how long no outcome may arrive until that is a problem
   */
  public Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    PolledMessage<M> head = messages.peekFirst();
    if (head == null) {
      return Optional.empty();
    }
    if (silent(nowNanos, silence)) {
      String text = "no outcome for more than " + silence + " (" + underway + " under way)";
      return Optional.of(TrackedLane.found(Problem.Kind.NO_PROGRESS, head, text));
    }
    return head.lane().problem();
  }
}
