package io.hapax.operations.topic;

/**
 * A range of offsets of a partition or a queue.
 *
 * @param place the partition or the queue
 * @param from the first offset
 * @param to the offset after the last one; not before {@code from}
 */
public record ScannedRange(String place, long from, long to) {

  /**
   * Checks the rules above.
   *
   * @param place the partition or the queue
   * @param from the first offset
   * @param to the offset after the last
   */
  public ScannedRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "range of " + place + " is " + from + " to " + to + " but must not go backwards");
    }
  }

  /** {@return the number of offsets} There may be fewer messages: offsets may have gaps. */
  public long length() {
    return to - from;
  }
}
