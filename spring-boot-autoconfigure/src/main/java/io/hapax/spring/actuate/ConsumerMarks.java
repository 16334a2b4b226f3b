package io.hapax.spring.actuate;

import io.hapax.mark.Mark;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.store.MarkQuery.Kind;
import java.util.List;

/**
 * Open and dead marks of a consumer, at most {@code limit} of each kind, with those of all its
 * instances.
 *
 * @param storeTime the store's time, by which the times in marks are read
 * @param limit the maximum number of each kind; a list of that length may be incomplete
 * @param stale the lease has expired: the owner vanished and no other one has claimed it
 * @param running an owner has a lease that is alive
 * @param inDoubt it is unknown whether an attempt took effect; such a mark may be stale as well
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
