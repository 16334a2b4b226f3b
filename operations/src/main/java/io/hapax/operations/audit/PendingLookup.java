package io.hapax.operations.audit;

import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import java.util.ArrayList;
import java.util.List;

/**
 * An id whose mark is being looked up, and its messages that were read meanwhile, in their order.
 *
 * @param number the id's number in the {@link IdTable}
 * @param key the id's key
 * @param messages its messages so far, at least one
 */
record PendingLookup(int number, MessageKey key, List<ReadMessage> messages) {

  /**
   * A message that was read.
   *
   * @param fingerprint its fingerprint
   * @param headers the digest of its headers
   * @param coordinates where the broker keeps it
   */
  record ReadMessage(Fingerprint fingerprint, Fingerprint headers, String coordinates) {}

  /**
   * The store's answer.
   *
   * @param lookup what was looked up
   * @param mark its mark, possibly absent
   */
  record Answer(PendingLookup lookup, Mark mark) {}

  static PendingLookup of(int number, MessageKey key, ReadMessage first) {
    List<ReadMessage> messages = new ArrayList<>(1);
    messages.add(first);
    return new PendingLookup(number, key, messages);
  }
}
