package io.hapax.spring.actuate;

import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSample;
import io.hapax.audit.ScannedRange;
import java.util.List;

/**
 * The answer to an audit: what would happen if the messages that were read were delivered again.
 *
 * @param consumer the consumer
 * @param topic the topic
 * @param limit the most offsets that were read of each partition or queue: the newest ones
 * @param cut whether that limit was reached, so that there may be older messages
 * @param wouldRunAgain how many ids have a message that would run
 * @param settled whether none would run and none is running
 * @param messages how many messages were read
 * @param missingIds the messages without a usable id
 * @param conflicts the messages whose payload differs from the one of their id
 * @param duplicates the messages that follow another one with the same id and payload
 * @param ids the ids by the state of their marks
 * @param ranges the offsets that were read
 * @param samples some messages of each finding but DONE, by their ids
 * @param otherHeaders the ids whose duplicates have other headers or properties
 */
public record TopicAuditDescription(
    String consumer,
    String topic,
    int limit,
    boolean cut,
    long wouldRunAgain,
    boolean settled,
    long messages,
    long missingIds,
    long conflicts,
    long duplicates,
    AuditReport.Ids ids,
    List<ScannedRange> ranges,
    List<AuditSample> samples,
    AuditReport.OtherHeaders otherHeaders) {

  static TopicAuditDescription of(AuditReport report, String topic, int limit) {
    return new TopicAuditDescription(
        report.consumer(),
        topic,
        limit,
        isCut(report.ranges(), limit),
        report.wouldRunAgain(),
        report.settled(),
        report.messages(),
        report.missingIds(),
        report.conflicts(),
        report.duplicates(),
        report.ids(),
        report.ranges(),
        report.samples(),
        report.otherHeaders());
  }

  /** Returns whether there may be older messages than those that were read. */
  static boolean isCut(List<ScannedRange> ranges, int limit) {
    return ranges.stream().anyMatch(range -> range.length() >= limit && range.from() > 0);
  }
}
