package io.hapax.audit;

import java.util.OptionalLong;

/**
 * What a replay does to one partition or queue of a group.
 *
 * @param place the partition or the queue
 * @param committed from which offset the group would go on; empty if it has none there
 * @param to from which offset it goes on afterwards
 * @param end the offset after the last message
 */
public record ReplayMove(String place, OptionalLong committed, long to, long end) {

  /**
   * What comes again because of the move.
   *
   * @return from the new offset to the old one, or to the end if the old one lies beyond it, as
   *     after a broker that has lost the end of its log; empty if the group moves forwards or had
   *     no offset
   */
  public ScannedRange again() {
    return new ScannedRange(place, to, Math.max(to, Math.min(end, committed.orElse(to))));
  }

  /**
   * What never comes because of the move.
   *
   * @return from the old offset to the new one; empty if the group moves backwards or had no offset
   */
  public ScannedRange skipped() {
    long from = Math.min(to, committed.orElse(to));
    return new ScannedRange(place, from, to);
  }
}
