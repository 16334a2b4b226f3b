package io.hapax.operations.audit;

import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.replay.ReplayMove;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.FoundMessage;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.List;

/**
 * Audits a topic: reads its messages without a consumer group, looks up their marks, and reports
 * which messages would run, or finds the messages of one id. It changes neither the broker nor the
 * store.
 */
public interface TopicAudit {

  /** Selects the offsets that an audit reads. */
  @FunctionalInterface
  interface Selection {

    /**
     * {@return a range of each partition or queue}
     *
     * @param topics finds offsets by time
     * @throws InterruptedException if the thread was interrupted
     */
    List<ScannedRange> of(TopicReader<?> topics) throws InterruptedException;
  }

  /**
   * Audits a part of a topic.
   *
   * @param part the topic
   * @param offsets the offsets to read
   * @return the report
   * @throws IllegalArgumentException if the topic or a part of it does not exist, or ends before
   *     the starting point
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  AuditReport run(TopicPart part, Selection offsets) throws InterruptedException;

  /**
   * Finds the messages of one id in a whole topic. Looks no mark up.
   *
   * @param topic the topic
   * @param id the id
   * @return the first thousand messages, in the order of their partition or queue
   * @throws IllegalArgumentException if the topic does not exist
   * @throws AuditFailedException if the brokers do not answer
   * @throws InterruptedException if the thread was interrupted
   */
  List<FoundMessage> find(String topic, Bytes id) throws InterruptedException;

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
  default AuditReport run(TopicPart part, StartingPoint from) throws InterruptedException {
    return run(part, topics -> topics.ranges(part, from));
  }

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
  default AuditReport runAgain(ReplayPlan plan) throws InterruptedException {
    return run(
        plan.part(), topics -> plan.moves().stream().map(ReplayMove::again).toList());
  }

  /**
   * Audits the messages that a replay skips because it moves the group forwards. This consumer
   * loses those that would run, those without an id and those in conflict: see
   * {@link AuditReport#skippable()}.
   *
   * @param plan the plan of the replay
   * @return the report
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  default AuditReport runSkipped(ReplayPlan plan) throws InterruptedException {
    return run(
        plan.part(), topics -> plan.moves().stream().map(ReplayMove::skipped).toList());
  }
}
