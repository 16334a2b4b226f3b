package io.hapax.operations.replay;

import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What a replay would do.
 *
 * @param group the consumer group
 * @param part the topic or the partitions in which the group is moved
 * @param to where the group is moved
 * @param moves the move in each partition or queue; the group is not moved where it has no offset
 */
public record ReplayPlan(String group, TopicPart part, StartingPoint to, List<ReplayMove> moves) {

  /**
   * Copies the list.
   *
   * @param group the group
   * @param part what is moved
   * @param to where to
   * @param moves the moves
   */
  public ReplayPlan {
    moves = List.copyOf(moves);
  }

  /** {@return how many messages are delivered again, at most: offsets may have gaps} */
  public long again() {
    return sum(ReplayMove::again);
  }

  /** {@return how many messages the group never receives, at most} */
  public long skipped() {
    return sum(ReplayMove::skipped);
  }

  private long sum(Function<ReplayMove, ScannedRange> range) {
    return moves.stream().mapToLong(move -> range.apply(move).length()).sum();
  }

  /** {@return the plan for people: lines, each with its line end} */
  public String toText() {
    StringBuilder text =
        new StringBuilder("group " + group + ", topic " + part.topic() + ", to " + to + "\n");
    for (ReplayMove move : moves) {
      text.append(String.format(
          Locale.ROOT,
          "  %s: %,d -> %,d, end %,d\n",
          move.place(),
          move.committed(),
          move.to(),
          move.end()));
    }
    text.append(String.format(Locale.ROOT, "messages delivered again: up to %,d\n", again()));
    if (skipped() > 0) {
      text.append(String.format(Locale.ROOT, "MESSAGES SKIPPED: up to %,d\n", skipped()));
    }
    return text.toString();
  }
}
