package io.hapax.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.operations.audit.AuditReport.OtherHeaders;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The counts of a report add up, and its text and its samples say what they are of. */
class AuditReportTest extends AuditFixture {

  @Test
  void counts_that_do_not_add_up_are_refused() {
    AuditReport.Ids ids = new AuditReport.Ids(3, 1, 0, 1, 0, 0, 0, 1, 1);

    assertThat(new AuditReport(
                "orders", 6, 1, 2, 1, ids, List.of(), List.of(), List.of(), OtherHeaders.NONE)
            .wouldRunAgain())
        .isEqualTo(1);
    assertThatThrownBy(() -> new AuditReport(
            "orders", 7, 1, 2, 1, ids, List.of(), List.of(), List.of(), OtherHeaders.NONE))
        .hasMessageContaining("add up");
    assertThatThrownBy(() -> new AuditReport.Ids(3, 1, 1, 1, 0, 0, 0, 1, 0))
        .hasMessageContaining("add up");
    assertThatThrownBy(() -> new AuditReport.Ids(1, 1, 0, 0, 0, 0, 0, 0, 1))
        .hasMessageContaining("in doubt");
  }

  @Test
  void the_report_says_every_count_in_words() throws Exception {
    done(message("a"));

    String text =
        audit(message("a"), message("b"), new Message("", "?")).toText().toString();

    assertThat(text)
        .containsPattern("(?m)^messages +3$")
        .containsPattern("(?m)^    done +1$")
        .containsPattern("(?m)^WOULD RUN AGAIN +1$")
        .contains("  unknown: b at orders-0@1\n", "  missing id: at orders-0@2 (no id)\n");
  }

  @Test
  void no_more_samples_are_kept_than_configured() throws Exception {
    List<Message> messages =
        IntStream.range(0, 5_000).mapToObj(i -> message("id-" + i)).toList();

    AuditReport report = audit(SETTINGS.withSamples(3), messages);

    assertThat(report.samples())
        .extracting(AuditSample::id)
        .hasSize(3) // any: look-ups are answered in no order
        .doesNotHaveDuplicates()
        .allMatch(id -> id.startsWith("id-"));
  }
}
