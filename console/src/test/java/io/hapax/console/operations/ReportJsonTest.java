package io.hapax.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditReport.FrequentId;
import io.hapax.operations.audit.AuditReport.Ids;
import io.hapax.operations.audit.AuditReport.OtherHeaders;
import io.hapax.operations.audit.AuditSample;
import io.hapax.operations.audit.Finding;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.replay.ReplayMove;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The fields of reports, which scripts read. */
class ReportJsonTest {

  private static final StoredDeadLetter RECORD = new StoredDeadLetter(
      "dead-0@1",
      Optional.of(Instant.EPOCH),
      new DeadLetterMetadata("billing", "a", 3, "IN_DOUBT", "no price", true, "orders-0@7", ""),
      Optional.of(Bytes.utf8("a")),
      Optional.empty());

  private static void assertText(ReportJson report, String expected) throws Exception {
    JsonMapper json = new JsonMapper();
    assertThat(json.readTree(report.text())).isEqualTo(json.readTree(expected));
  }

  @Test
  void an_audit_has_its_counts_ranges_and_samples() throws Exception {
    AuditReport audit = new AuditReport(
        "billing",
        6,
        1,
        1,
        1,
        new Ids(3, 1, 0, 1, 1, 0, 0, 0, 1),
        List.of(new ScannedRange("orders-0", 2, 8)),
        List.of(new AuditSample(Finding.STALE, "a", "orders-0@2", Text.plain("claimed by shop"))),
        List.of(new FrequentId("b", 2)),
        new OtherHeaders(1, List.of(Text.of("sample.place", "b", "orders-0@5"))));

    assertText(new ReportJson().with("audit", audit), """
        {"audit": {
          "consumer": "billing", "messages": 6, "missingIds": 1, "conflicts": 1, "duplicates": 1,
          "ids": {"distinct": 3, "done": 1, "inFlight": 0, "stale": 1, "retry": 1, "dead": 0,
            "unknown": 0, "conflicting": 0, "inDoubt": 1},
          "ranges": [{"place": "orders-0", "from": 2, "to": 8}],
          "samples": [{"finding": "STALE", "id": "a", "coordinates": "orders-0@2",
            "detail": "claimed by shop"}],
          "frequent": [{"id": "b", "messages": 2}],
          "otherHeaders": {"ids": 1, "samples": ["b at orders-0@5"]},
          "wouldRunAgain": 2, "settled": false, "skippable": false}}
        """);
  }

  @Test
  void a_replay_has_its_moves() throws Exception {
    ReplayPlan plan = new ReplayPlan(
        "shop",
        TopicPart.all("orders"),
        StartingPoint.beginning(),
        List.of(new ReplayMove("orders-0", 2, 0, 3)));

    assertText(new ReportJson().with(plan, true), """
        {"replay": {
          "group": "shop", "topic": "orders", "to": "the beginning", "again": 2, "skipped": 0,
          "moved": true,
          "moves": [{"place": "orders-0", "committed": 2, "to": 0, "end": 3}]}}
        """);
  }

  @Test
  void a_redrive_has_the_age_of_each_record() throws Exception {
    RedriveReport redrive = new RedriveReport(
        "billing",
        true,
        1,
        0,
        0,
        1,
        0,
        Optional.of(Duration.ofHours(3)),
        List.of("gone"),
        List.of(),
        List.of(new RedriveSample(
            RECORD,
            Optional.of(Duration.ofHours(3)),
            new RedriveResult.NotDead(Text.of("mark.done")))));

    assertText(new ReportJson().with(redrive), """
        {"redrive": {
          "consumer": "billing", "executed": true, "records": 1, "published": 0, "withoutMark": 0,
          "notDead": 1, "refused": 0, "oldest": "PT3H", "missing": ["gone"],
          "samples": [{"id": "a", "coordinates": "dead-0@1", "from": "orders-0@7",
            "kind": "IN_DOUBT", "detail": "no price", "inDoubt": true, "age": "PT3H",
            "answer": "NotDead", "why": "it is done"}]}}
        """);
  }
}
