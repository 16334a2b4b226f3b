package io.hapax.operations.replay;

import io.hapax.operations.internal.GroupOffsets;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Moves a group on any broker. For the brokers of this module, which make it. */
public final class OffsetReplay implements GroupReplay {

  private final GroupOffsets group;

  /**
   * Makes a replay.
   *
   * @param group the connection to the group, which {@link #close} closes
   */
  public OffsetReplay(GroupOffsets group) {
    this.group = group;
  }

  @Override
  public void requireStopped(String topic) throws InterruptedException {
    Optional<String> running = group.members(topic).running();
    if (running.isPresent()) {
      throw new ReplayRefusedException(
          "group " + group.group() + " " + running.get() + ": stop them. Nothing was moved");
    }
  }

  @Override
  public GroupStatus status(String topic) throws InterruptedException {
    TopicPart all = TopicPart.all(topic);
    List<ScannedRange> ranges = group.ranges(all, StartingPoint.beginning());
    int members = group.members(topic).count();
    Map<String, Long> committed = group.committed(all);
    long lag = 0;
    for (ScannedRange range : ranges) {
      long offset = Math.min(range.to(), committed.getOrDefault(range.place(), 0L));
      lag += range.to() - Math.max(range.from(), offset);
    }
    return new GroupStatus(lag, members);
  }

  @Override
  public ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException {
    List<ScannedRange> ranges = group.ranges(part, to);
    requireStopped(part.topic());
    Map<String, Long> committed = group.committed(part);
    List<ReplayMove> moves = new ArrayList<>();
    for (ScannedRange range : ranges) {
      Long offset = committed.get(range.place());
      if (offset != null) { // else nothing is redelivered, and a move could skip unread messages
        moves.add(new ReplayMove(range.place(), OptionalLong.of(offset), range.from(), range.to()));
      }
    }
    if (moves.isEmpty()) {
      throw new ReplayRefusedException("group " + group.group()
          + " has no committed offset of topic " + part.topic() + ": there is nothing to move");
    }
    return new ReplayPlan(group.group(), part, to, moves);
  }

  @Override
  public void execute(ReplayPlan plan) throws InterruptedException {
    if (!plan.group().equals(group.group())) {
      throw new IllegalArgumentException(
          "plan is of group " + plan.group() + " but must be of group " + group.group());
    }
    requireStopped(plan.part().topic());
    Map<String, Long> committed = group.committed(plan.part());
    Map<String, Long> wanted = new HashMap<>();
    for (ReplayMove move : plan.moves()) {
      Long offset = committed.get(move.place());
      if (offset == null || !move.committed().equals(OptionalLong.of(offset))) {
        throw new ReplayRefusedException("group " + group.group() + " has moved in " + move.place()
            + " since the plan was made: it is at " + (offset == null ? "no offset" : offset)
            + " now. Nothing was moved");
      }
      wanted.put(move.place(), move.to());
    }
    if (!group.commit(plan.part(), wanted)) {
      throw new ReplayRefusedException(
          "group " + group.group() + " has members by now: stop them. Nothing was moved");
    }
  }

  @Override
  public void close() {
    group.close();
  }
}
