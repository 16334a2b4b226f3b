package io.hapax.audit;

/** Moves the offsets of a stopped consumer group. Each adapter implements it. */
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
