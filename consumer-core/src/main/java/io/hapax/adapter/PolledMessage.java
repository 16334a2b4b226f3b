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

  /**
   * Returns the tracker that the message was polled for.
   *
   * @return the tracker
   */
  public OffsetTracker<M> tracker() {
    return tracker;
  }

  /**
   * Returns the message as it was polled. A handler may have changed it since.
   *
   * @return the broker's message
   */
  public M message() {
    return message;
  }

  /**
   * Returns what gives the message to the handler, in each of its submissions.
   *
   * @return the handout
   */
  public Handout<M> handout() {
    return handout;
  }

  /**
   * Returns the offset of the message.
   *
   * @return the offset
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns partition and offset, for people.
   *
   * @return for example {@code orders-3@1507}
   */
  public String coordinates() {
    return tracker.partition() + "@" + offset;
  }
}
