package io.hapax.operations.replay;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;

/**
 * Moves the offsets of a stopped consumer group, so that it reads from there when it is started.
 * Messages that it has completed have marks and take no effect again. To run all messages again on
 * purpose, move the consumer's generation instead of deleting marks. For one thread at a time.
 */
public interface GroupReplay extends AutoCloseable {

  /**
   * Refuses a group that runs. Changes nothing.
   *
   * @param topic a topic that the group reads
   * @throws IllegalArgumentException if the topic or the group does not exist
   * @throws ReplayRefusedException if the group has members
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  void requireStopped(String topic) throws InterruptedException;

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
  GroupStatus status(String topic) throws InterruptedException;

  /**
   * Plans a replay. Changes nothing.
   *
   * @param part the topic
   * @param to where to move the group
   * @return the plan
   * @throws IllegalArgumentException if the topic, a part of it or the group does not exist, or a
   *     part ends before the starting point
   * @throws ReplayRefusedException if the group has members, or has never read that topic
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException;

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
  void execute(ReplayPlan plan) throws InterruptedException;

  /** Closes the connection to the brokers. */
  @Override
  void close();
}
