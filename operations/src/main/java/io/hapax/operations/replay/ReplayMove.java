package io.hapax.operations.replay;

import io.hapax.operations.topic.ScannedRange;

/**
 * How a replay moves a group in one partition or queue.
 *
 * @param place the partition or the queue
 * @param committed the group's offset before the move
 * @param to the group's offset after the move
 * @param end the offset after the last message
 */
public record ReplayMove(String place, long committed, long to, long end) {

  /**
   * {@return the messages that the move makes the broker deliver again, from the new offset to the
   * old one} If the old one lies beyond the end, because the broker lost the end of its log, up to
   * the end. Empty if the group moves forwards.
   */
  public ScannedRange again() {
    return new ScannedRange(place, to, Math.max(to, Math.min(end, committed)));
  }

  /**
   * {@return the messages that the group never receives because of the move, from the old offset to
   * the new one; empty if the group moves backwards}
   */
  public ScannedRange skipped() {
    long from = Math.min(to, committed);
    return new ScannedRange(place, from, to);
  }
}
