package io.hapax.internal.message;

import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order of the parts of one lane: each submission appends one, and a part has its turn
 * once the parts before it have passed. When a part stops the lane, all parts behind it are given
 * up, and so are those that are appended later.
 */
public final class OpenLane {

  /**
   * The messages of one submission in one lane. A deferral stops what is behind it, if the lane
   * keeps an order: the later messages of this part, and all later parts.
   */
  public abstract static class Part<M> {

    public final List<InFlightMessage<M>> messages;
    private final OpenLane lane;

    protected Part(OpenLane lane, List<InFlightMessage<M>> messages) {
      this.lane = lane;
      this.messages = messages;
    }

    /** Appends it to its lane, which it leaves with its submission at the latest. */
    public final void append() {
      submission().whenGivenUpOrOver(this::givenUpOrOver);
      lane.append(this);
    }

    private ActiveSubmission<M> submission() {
      return messages.get(0).submission;
    }

    protected final boolean hasTurn() {
      return lane.isTurnOf(this);
    }

    /**
     * Runs the part, if it is ready and its turn has come. Called once or more; returns at once.
     */
    protected abstract void turn();

    /** Gives up its messages: the lane has stopped before them. Called once or more. */
    protected void giveUp(Deferred because) {
      submission().outcomes.giveUp(messages, because);
    }

    /**
     * Stops the lane behind messages that were given up, also if its turn is still to come. When
     * the submission has ended, the lane ends, even if an exception has ended its work: the
     * messages behind it must not wait for ever.
     */
    protected final void givenUpOrOver() {
      boolean over = submission().over(); // first, or a deferral might be missed
      if (!stopsAtFirst(0, messages.size(), InFlightMessage::expectedStop) && over) {
        over();
      }
    }

    /** Passes the turn on: its submission has ended. */
    protected void over() {
      if (hasTurn()) {
        pass();
      }
    }

    /** Stops behind the first of these messages that stops the lane; returns whether one does. */
    public final boolean stopsAtFirst(
        int from, int to, Function<InFlightMessage<M>, Optional<Deferred>> stops) {
      for (int i = from; i < to; i++) {
        Optional<Deferred> stop = stops.apply(messages.get(i));
        if (stop.isPresent()) {
          stopBehind(i, stop.get());
          return true;
        }
      }
      return false;
    }

    /** Gives up the messages behind a position, and all parts behind this one. */
    protected final void stopBehind(int index, Deferred stop) {
      Deferred because = Deferrals.behind(stop.after());
      submission().outcomes.giveUp(messages.subList(index + 1, messages.size()), because);
      lane.stop(this, because).forEach(behind -> behind.giveUp(because));
    }

    public final void pass() {
      Part<?> next = lane.remove(this);
      if (next != null) {
        next.turn();
      }
    }
  }

  /** Small, because most lanes have one part. */
  private final Deque<Part<?>> parts = new ArrayDeque<>(1);

  private final boolean inOrder;
  private @Nullable Deferred stop;

  /** The order is that of all its messages; see {@link io.hapax.adapter.Incoming#inOrder}. */
  public OpenLane(boolean inOrder) {
    this.inOrder = inOrder;
  }

  private void append(Part<?> part) {
    Deferred stopped = add(part);
    if (stopped != null) {
      part.giveUp(stopped);
    } else {
      part.turn();
    }
  }

  private synchronized @Nullable Deferred add(Part<?> part) {
    if (stop == null) {
      parts.add(part);
    }
    return stop;
  }

  private synchronized boolean isTurnOf(Part<?> part) {
    return parts.peek() == part;
  }

  /** Returns the first part after that, also if this one was removed before. */
  private synchronized @Nullable Part<?> remove(Part<?> part) {
    if (parts.peek() == part) {
      parts.remove();
    }
    return parts.peek();
  }

  /** Stops the lane behind all parts that it has, for messages that never became a part. */
  synchronized void stopAtEnd() {
    stop = inOrder ? Deferrals.behind(Duration.ZERO) : stop;
  }

  /**
   * Removes the parts behind that one, whose turn may not have come yet, and returns them in their
   * order. A part that has passed stops nothing.
   */
  private synchronized Deque<Part<?>> stop(Part<?> part, Deferred because) {
    Deque<Part<?>> behind = new ArrayDeque<>();
    if (parts.contains(part)) {
      stop = because;
      while (parts.peekLast() != part) {
        behind.addFirst(parts.removeLast());
      }
    }
    return behind;
  }
}
