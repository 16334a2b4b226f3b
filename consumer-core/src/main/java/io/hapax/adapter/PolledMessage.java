package io.hapax.adapter;

/**
 * A polled message. It knows its tracker, and so its epoch. Its state belongs to the poll thread.
 *
 * @param <M> the broker's message
 */
public final class PolledMessage<M> {

  private final OffsetTracker<M> tracker;
  private final TrackedLane<M> lane;
  private final M message;
  private final Handout<M> handout;
  private final long offset;

  /** Whether the message is in flight: taken and without an outcome. */
  boolean submitted;

  /** Whether nothing remains to be done for the message. */
  boolean finished;

  PolledMessage(
      OffsetTracker<M> tracker, TrackedLane<M> lane, M message, Handout<M> handout, long offset) {
    this.tracker = tracker;
    this.lane = lane;
    this.message = message;
    this.handout = handout;
    this.offset = offset;
  }

  TrackedLane<M> lane() {
    return lane;
  }

  /** Returns whether the message is neither finished nor in flight. */
  boolean waits() {
    return !finished && !submitted;
  }

  /** {@return the tracker that the message was polled for} */
  public OffsetTracker<M> tracker() {
    return tracker;
  }

  /** {@return the broker's message as it was polled} A handler may have changed it since. */
  public M message() {
    return message;
  }

  /** {@return what gives the message to the handler, in each of its submissions} */
  public Handout<M> handout() {
    return handout;
  }

  /** {@return the offset of the message} */
  public long offset() {
    return offset;
  }

  /** {@return partition and offset, for people, for example {@code orders-3@1507}} */
  public String coordinates() {
    return tracker.partition() + "@" + offset;
  }
}
