package io.hapax.operations.audit;

import io.hapax.mark.Bytes;
import io.hapax.operations.audit.AuditReport.FrequentId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the ids with the most messages. An id that was dropped returns with its next message, if it
 * then has more messages than the rarest id here. So the result is exact.
 */
final class FrequentIds {

  private static final int MOST = 10;

  private final Map<AuditedId, Count> top = new HashMap<>();

  /** An id with fewer or as many messages is not kept. */
  private int least = 1;

  private record Count(Bytes id, int messages) {}

  /** Takes the new number of messages of an id, one more than at its last call. */
  void counted(AuditedId id, Bytes name, int messages) {
    if (messages <= least) {
      return;
    }
    top.put(id, new Count(name, messages));
    if (top.size() > MOST) {
      top.remove(rarest().getKey());
    }
    if (top.size() == MOST) {
      least = rarest().getValue().messages();
    }
  }

  private Map.Entry<AuditedId, Count> rarest() {
    return top.entrySet().stream()
        .min(Map.Entry.comparingByValue(Comparator.comparingInt(Count::messages)))
        .orElseThrow();
  }

  List<FrequentId> list() {
    return top.values().stream()
        .map(count -> new FrequentId(count.id().toString(), count.messages()))
        .sorted(
            Comparator.comparingLong(FrequentId::messages).reversed().thenComparing(FrequentId::id))
        .toList();
  }
}
