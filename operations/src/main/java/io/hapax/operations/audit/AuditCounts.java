package io.hapax.operations.audit;

import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the findings of an audit, and keeps some samples of each. */
final class AuditCounts {

  private final int mostSamples;
  private final Map<Finding, List<AuditSample>> samples = new EnumMap<>(Finding.class);
  private final List<Text> otherHeaders = new ArrayList<>();
  private long messages;
  private long missingIds;
  private long conflicts;
  private long duplicates;

  AuditCounts(int mostSamples) {
    this.mostSamples = mostSamples;
  }

  void message() {
    messages++;
  }

  void missingId(String coordinates, Text why) {
    missingIds++;
    sample(new AuditSample(Finding.MISSING_ID, "", coordinates, why));
  }

  void conflict(String id, String coordinates) {
    conflicts++;
    sample(new AuditSample(Finding.CONFLICT, id, coordinates, Text.NONE));
  }

  void duplicate() {
    duplicates++;
  }

  void otherHeaders(String id, String coordinates) {
    if (otherHeaders.size() < mostSamples) {
      otherHeaders.add(Text.of("sample.place", id, coordinates));
    }
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
      Collection<AuditedId> ids,
      List<ScannedRange> ranges,
      List<AuditReport.FrequentId> frequent) {
    Map<Finding, Long> agreed = ids.stream()
        .filter(id -> id.agreed)
        .collect(Collectors.groupingBy(id -> id.finding, Collectors.counting()));
    return new AuditReport(
        consumer,
        messages,
        missingIds,
        conflicts,
        duplicates,
        new AuditReport.Ids(
            ids.size(),
            agreed.getOrDefault(Finding.DONE, 0L),
            agreed.getOrDefault(Finding.IN_FLIGHT, 0L),
            agreed.getOrDefault(Finding.STALE, 0L),
            agreed.getOrDefault(Finding.RETRY, 0L),
            agreed.getOrDefault(Finding.DEAD, 0L),
            agreed.getOrDefault(Finding.UNKNOWN, 0L),
            ids.stream().filter(id -> !id.agreed).count(),
            ids.stream().filter(id -> id.agreed && id.inDoubt).count()),
        ranges,
        samples.values().stream().flatMap(List::stream).toList(),
        frequent,
        new AuditReport.OtherHeaders(
            ids.stream().filter(id -> id.otherHeaders).count(), otherHeaders));
  }
}
