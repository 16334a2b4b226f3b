package io.hapax.operations.replay;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.internal.GroupOffsets;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves the offsets of a stopped consumer group, so that it reads from there when it is started.
 * Messages that it has completed have marks and take no effect again. To run all messages again on
 * purpose, move the consumer's generation instead of deleting marks. For one thread at a time.
 */
public final class GroupReplay implements AutoCloseable {

  private final GroupOffsets group;

  /**
   * Makes a replay. For the brokers of this module.
   *
   * @param group the connection to the group, which {@link #close} closes
   */
  public GroupReplay(GroupOffsets group) {
    this.group = group;
  }

  /**
   * Refuses a group that runs. Changes nothing.
   *
   * @param topic a topic that the group reads
   * @throws IllegalArgumentException if the topic or the group does not exist
   * @throws ReplayRefusedException if the group has members
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  public void requireStopped(String topic) throws InterruptedException {
    Optional<Text> running = group.members(topic).running();
    if (running.isPresent()) {
      throw new ReplayRefusedException(Text.of("group.runs", group.group(), running.get()));
    }
  }

  /**
   * Returns how far the group is, whether it runs or not. Changes nothing, so a crash here leaves
   * nothing behind. Offsets, ends and members are read one after the other: while the group runs
   * they are of slightly different times.
   *
   * <p>It counts by committed offsets, that is by acknowledgements. A message that took effect
   * counts until its offset is committed. On RocketMQ one that waits in the retry topic of the
   * group does not count.
   *
   * @param topic a topic that the group reads
   * @return its lag in offsets, and its members
   * @throws IllegalArgumentException if the topic does not exist or, on Kafka, the group; a group
   *     that RocketMQ does not know has no members, and all of the topic before it
   * @throws AuditFailedException if the brokers do not answer; ask again
   * @throws InterruptedException if the thread was interrupted
   */
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

  /**
   * {@return the offsets that the group has committed, by partition or queue; no entry where there
   * is none} Messages before them are acknowledged. Changes nothing.
   *
   * @param topic a topic that the group reads
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  public Map<String, Long> committed(String topic) throws InterruptedException {
    return group.committed(TopicPart.all(topic));
  }

  /**
   * {@return the plan of a replay} Changes nothing.
   *
   * @param part the topic
   * @param to where to move the group
   * @throws IllegalArgumentException if the topic, a part of it or the group does not exist, or a
   *     part ends before the starting point
   * @throws ReplayRefusedException if the group has members, or has never read that topic
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  public ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException {
    List<ScannedRange> ranges = group.ranges(part, to);
    requireStopped(part.topic());
    Map<String, Long> committed = group.committed(part);
    List<ReplayMove> moves = new ArrayList<>();
    for (ScannedRange range : ranges) {
      Long offset = committed.get(range.place());
      if (offset != null) { // else nothing is redelivered, and a move could skip unread messages
        moves.add(new ReplayMove(range.place(), offset, range.from(), range.to()));
      }
    }
    if (moves.isEmpty()) {
      throw new ReplayRefusedException(Text.of("group.no-offset", group.group(), part.topic()));
    }
    return new ReplayPlan(group.group(), part, to, moves);
  }

  /**
   * Moves the group as planned.
   *
   * @param plan the plan
   * @throws IllegalArgumentException if it is the plan of another group
   * @throws ReplayRefusedException if the group has members now, or has moved since it was planned
   * @throws AuditFailedException if the brokers do not answer: the group was moved or not, which a
   *     new plan shows
   * @throws InterruptedException if the thread was interrupted
   */
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
      if (offset == null || offset != move.committed()) {
        throw new ReplayRefusedException(Text.of(
            "group.moved",
            group.group(),
            move.place(),
            offset == null ? Text.of("offset.none") : Text.plain(offset.toString())));
      }
      wanted.put(move.place(), move.to());
    }
    if (!group.commit(plan.part(), wanted)) {
      throw new ReplayRefusedException(Text.of("group.runs-now", group.group()));
    }
  }

  /** Closes the connection to the brokers. */
  @Override
  public void close() {
    group.close();
  }
}
