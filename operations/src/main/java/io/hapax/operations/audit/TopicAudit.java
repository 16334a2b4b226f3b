package io.hapax.operations.audit;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;

/**
 * Audits a topic: reads its messages without a consumer group, looks up their marks, and reports
 * which messages would run. It changes neither the broker nor the store.
 */
public interface TopicAudit {

  /**
   * Audits a topic from a starting point to its present end.
   *
   * @param part the topic
   * @param from where to begin
   * @return the report
   * @throws IllegalArgumentException if the topic or a part of it does not exist, or ends before
   *     the starting point
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException;

  /**
   * Audits the messages that a replay delivers again: from the offsets that it moves the group to,
   * up to the present offsets of the group.
   *
   * @param plan the plan of the replay
   * @return the report
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  AuditReport runAgain(ReplayPlan plan) throws InterruptedException;

  /**
   * Audits the messages that a replay skips because it moves the group forwards. Those that would
   * run are lost for this consumer.
   *
   * @param plan the plan of the replay
   * @return the report
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  AuditReport runSkipped(ReplayPlan plan) throws InterruptedException;
}
