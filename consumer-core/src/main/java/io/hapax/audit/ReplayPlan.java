package io.hapax.audit;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What a replay would do, before it does it.
 *
 * @param group the consumer group
 * @param part what of it is moved
 * @param to where to
 * @param moves what happens to each partition or queue; one in which the group has no offset is
 *     left as it is
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

  /**
   * How many messages come again because of it, at most: brokers leave gaps.
   *
   * @return not negative
   */
  public long again() {
    return sum(ReplayMove::again);
  }

  /**
   * How many messages never come because of it, at most.
   *
   * @return not negative
   */
  public long skipped() {
    return sum(ReplayMove::skipped);
  }

  private long sum(Function<ReplayMove, ScannedRange> range) {
    return moves.stream().mapToLong(move -> range.apply(move).length()).sum();
  }

  /**
   * The plan for a person.
   *
   * @return lines, each ended
   */
  public String toText() {
    StringBuilder text =
        new StringBuilder("group " + group + ", topic " + part.topic() + ", to " + to + "\n");
    for (ReplayMove move : moves) {
      String from = move.committed().isPresent()
          ? String.format(Locale.ROOT, "%,d", move.committed().getAsLong())
          : "no offset";
      text.append(String.format(
          Locale.ROOT, "  %s: %s -> %,d, end %,d\n", move.place(), from, move.to(), move.end()));
    }
    text.append(String.format(Locale.ROOT, "messages that come again: up to %,d\n", again()));
    if (skipped() > 0) {
      text.append(String.format(Locale.ROOT, "MESSAGES SKIPPED: up to %,d\n", skipped()));
    }
    return text.toString();
  }
}
