package io.hapax.spring.actuate;

import io.hapax.mark.Mark;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.store.MarkQuery.Kind;
import java.util.List;

/**
 * Marks of all instances of a consumer, at most {@code limit} of each kind. Those in doubt may be
 * stale as well. Times are those of the store.
 */
public record ConsumerMarks(
    String consumer,
    String storeTime,
    int limit,
    List<MarkDescription> stale,
    List<MarkDescription> running,
    List<MarkDescription> inDoubt,
    List<MarkDescription> dead) {

  static ConsumerMarks of(String consumer, MarkOperations marks, int limit) {
    return new ConsumerMarks(
        consumer,
        marks.now().toString(),
        limit,
        described(marks.list(Kind.STALE, limit)),
        described(marks.list(Kind.LEASED, limit)),
        described(marks.list(Kind.IN_DOUBT, limit)),
        described(marks.list(Kind.DEAD, limit)));
  }

  private static List<MarkDescription> described(List<Mark> marks) {
    return marks.stream().map(MarkDescription::of).toList();
  }
}
