package io.hapax.operations.audit;

import io.hapax.operations.topic.ScannedRange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the findings of an audit, and keeps some samples of each. */
final class AuditCounts {

  private final int mostSamples;
  private final Map<Finding, Long> ids = new EnumMap<>(Finding.class);
  private final Map<Finding, List<AuditSample>> samples = new EnumMap<>(Finding.class);
  private final List<String> otherHeaders = new ArrayList<>();
  private long idsWithOtherHeaders;
  private long messages;
  private long missingIds;
  private long conflicts;
  private long duplicates;
  private long inDoubt;

  AuditCounts(int mostSamples) {
    this.mostSamples = mostSamples;
  }

  void message() {
    messages++;
  }

  void missingId(String coordinates, String why) {
    missingIds++;
    sample(new AuditSample(Finding.MISSING_ID, "", coordinates, why));
  }

  void conflict(String id, String coordinates) {
    conflicts++;
    sample(new AuditSample(Finding.CONFLICT, id, coordinates, ""));
  }

  void duplicate() {
    duplicates++;
  }

  void otherHeaders(String id, String coordinates) {
    idsWithOtherHeaders++;
    if (otherHeaders.size() < mostSamples) {
      otherHeaders.add(id + " at " + coordinates);
    }
  }

  void id(Finding finding, boolean doubtful) {
    ids.merge(finding, 1L, Long::sum);
    inDoubt += doubtful ? 1 : 0;
  }

  boolean wantsSampleOf(Finding finding) {
    return finding != Finding.DONE && samples.getOrDefault(finding, List.of()).size() < mostSamples;
  }

  void sample(AuditSample sample) {
    if (wantsSampleOf(sample.finding())) {
      samples.computeIfAbsent(sample.finding(), same -> new ArrayList<>()).add(sample);
    }
  }

  AuditReport report(
      String consumer,
      long distinct,
      List<ScannedRange> ranges,
      List<AuditReport.FrequentId> frequent) {
    long agreed = ids.values().stream().mapToLong(Long::longValue).sum();
    return new AuditReport(
        consumer,
        messages,
        missingIds,
        conflicts,
        duplicates,
        new AuditReport.Ids(
            distinct,
            count(Finding.DONE),
            count(Finding.IN_FLIGHT),
            count(Finding.STALE),
            count(Finding.RETRY),
            count(Finding.DEAD),
            count(Finding.UNKNOWN),
            distinct - agreed,
            inDoubt),
        ranges,
        samples.values().stream().flatMap(List::stream).toList(),
        frequent,
        new AuditReport.OtherHeaders(idsWithOtherHeaders, otherHeaders));
  }

  private long count(Finding finding) {
    return ids.getOrDefault(finding, 0L);
  }
}
