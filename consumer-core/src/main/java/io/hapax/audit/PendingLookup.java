package io.hapax.audit;

import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import java.util.ArrayList;
import java.util.List;

/**
 * An id whose mark is asked for, and its messages that were met meanwhile, in their order.
 *
 * @param number its number among the ids
 * @param key its key
 * @param met its messages so far, at least one
 */
record PendingLookup(int number, MessageKey key, List<Met> met) {

  /**
   * A message that was met.
   *
   * @param fingerprint its fingerprint
   * @param coordinates where it is
   */
  record Met(Fingerprint fingerprint, String coordinates) {}

  /**
   * What the store answered.
   *
   * @param asked what it was asked
   * @param mark its mark, possibly absent
   */
  record Answered(PendingLookup asked, Mark mark) {}

  static PendingLookup of(int number, MessageKey key, Met first) {
    List<Met> met = new ArrayList<>(1);
    met.add(first);
    return new PendingLookup(number, key, met);
  }
}
