package io.hapax.operations.replay;

import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.ArrayList;
import java.util.List;
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
  public Text toText() {
    List<Text> lines = new ArrayList<>();
    lines.add(Text.of("replay.plan", group, part.topic(), to.text()));
    for (ReplayMove move : moves) {
      lines.add(Text.of("replay.move", move.place(), move.committed(), move.to(), move.end()));
    }
    lines.add(Text.of("replay.again", again()));
    if (skipped() > 0) {
      lines.add(Text.of("replay.skipped", skipped()));
    }
    return Text.lines(lines);
  }
}
