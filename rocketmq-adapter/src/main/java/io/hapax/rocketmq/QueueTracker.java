package io.hapax.rocketmq;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of one pulled queue while it is assigned. The object is the epoch: an outcome
 * that comes late can only reach the bookkeeping that nobody looks at any more.
 *
 * <p>Offsets may have gaps, where a filter lets nothing through. What may be committed is the
 * offset of the lowest polled message that is not finished, or, when all are, the one behind the
 * last. Not thread-safe; time is handed in, in nanoseconds of the monotonic clock.
 */
final class QueueTracker {

  /** A polled message; knows the tracker it belongs to, and so the epoch. */
  static final class Slot {
    private final QueueTracker tracker;
    private final MessageExt message;
    private boolean finished;

    private Slot(QueueTracker tracker, MessageExt message) {
      this.tracker = tracker;
      this.message = message;
    }

    QueueTracker tracker() {
      return tracker;
    }

    MessageExt message() {
      return message;
    }

    private long offset() {
      return message.getQueueOffset();
    }
  }

  private static final long NOTHING = -1;
  private static final Duration LONGEST = Duration.ofDays(365);

  private final MessageQueue queue;
  private final Deque<Slot> slots = new ArrayDeque<>();
  private int unfinished;
  private int underway;
  private long next = NOTHING;
  private long movedNanos;
  private boolean probation = true;

  private @Nullable Slot blocker;
  private Outcome.@Nullable Deferred blockedBy;
  private long dueNanos;

  QueueTracker(MessageQueue queue) {
    this.queue = queue;
  }

  MessageQueue queue() {
    return queue;
  }

  /**
   * Whether messages from that offset on are news. If not, the queue was given to another and came
   * back, or was set back, and another epoch has begun.
   */
  boolean isAhead(long offset) {
    return offset >= next;
  }

  /** Adds messages in the order of the queue. */
  void polled(List<MessageExt> messages) {
    for (MessageExt message : messages) {
      slots.addLast(new Slot(this, message));
      unfinished++;
      next = message.getQueueOffset() + 1;
    }
  }

  /** Whether messages wait, none is under way, and none has to wait for a later moment. */
  boolean ready(long nowNanos) {
    return underway == 0 && unfinished > 0 && !waiting(nowNanos);
  }

  /** Whether a deferred message has to wait for a later moment. */
  boolean waiting(long nowNanos) {
    return blockedBy != null && dueNanos - nowNanos > 0;
  }

  /** How many messages are not finished and not in the hands of the receiver. */
  int buffered() {
    return unfinished - underway;
  }

  boolean underway() {
    return underway > 0;
  }

  /** Whether messages are under way and no outcome has come of them for longer than that. */
  boolean silent(long nowNanos, Duration atMost) {
    return underway > 0 && nowNanos - movedNanos > atMost.toNanos();
  }

  /** Whether no window of this assignment has been finished as a whole yet. */
  boolean probation() {
    return probation;
  }

  /** Takes the first unfinished messages for a submission. */
  List<Slot> take(int limit, long nowNanos) {
    movedNanos = nowNanos;
    List<Slot> window = new ArrayList<>(Math.min(limit, unfinished));
    for (Slot slot : slots) {
      if (window.size() == limit) {
        break;
      }
      if (!slot.finished) {
        window.add(slot);
      }
    }
    underway = window.size();
    blocker = null;
    blockedBy = null;
    return window;
  }

  /** Books the outcome of a message that was taken. */
  void resolved(Slot slot, Outcome outcome, long nowNanos) {
    underway--;
    movedNanos = nowNanos;
    if (outcome instanceof Outcome.Deferred deferred) {
      deferred(slot, deferred, nowNanos);
    } else {
      slot.finished = true;
      unfinished--;
      dropFinishedPrefix();
    }
    if (underway == 0 && blockedBy == null) {
      probation = false;
    }
  }

  private void deferred(Slot slot, Outcome.Deferred deferred, long nowNanos) {
    if (blocker == null || slot.offset() < blocker.offset()) {
      blocker = slot;
      blockedBy = deferred;
      Duration wait = deferred.after().compareTo(LONGEST) > 0 ? LONGEST : deferred.after();
      dueNanos = nowNanos + wait.toNanos();
    }
  }

  private void dropFinishedPrefix() {
    for (Slot head = slots.peekFirst(); head != null && head.finished; head = slots.peekFirst()) {
      slots.removeFirst();
    }
  }

  /** The lowest unfinished offset, once something was polled. */
  OptionalLong committable() {
    Slot head = slots.peekFirst();
    if (head != null) {
      return OptionalLong.of(head.offset());
    }
    return next == NOTHING ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /**
   * Why the queue waits, if it waits for anything but its turn.
   *
   * @param nowNanos the time
   * @param silence how long no outcome may come of what is under way until that is a problem
   */
  Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    Slot head = slots.peekFirst();
    if (head != null && silent(nowNanos, silence)) {
      String text = "no outcome for more than " + silence + " (" + underway + " under way)";
      return found(Problem.Kind.NO_PROGRESS, head, text);
    }
    if (blocker == null || blockedBy == null) {
      return Optional.empty();
    }
    String text =
        blockedBy.reason() + (blockedBy.detail().isEmpty() ? "" : ": " + blockedBy.detail());
    return found(Problem.Kind.PARTITION_WAITING, blocker, text);
  }

  private Optional<Problems.Found> found(Problem.Kind kind, Slot slot, String text) {
    String subject = Coordinates.of(slot.message, queue);
    return Optional.of(new Problems.Found(kind, subject, subject + ": " + text));
  }
}
