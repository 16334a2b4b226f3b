package io.hapax.console.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.action.ActionLog;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ActionRow;
import io.hapax.operations.text.Text;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the action log says of an action. */
class RecordedActionsTest {

  private static final SignedInUser ANN = new SignedInUser("ann", "caller ann", true);

  @TempDir
  private Path folder;

  private final Jobs jobs = new Jobs(InstantSource.system());
  private ActionLog log;
  private RecordedActions recorded;

  @BeforeEach
  void open() throws Exception {
    log = ActionLog.at(folder.resolve("actions.jsonl"));
    recorded = new RecordedActions(log, InstantSource.system());
  }

  @AfterEach
  void stop() {
    jobs.close();
  }

  private Job ended(String kind, List<String> published) throws Exception {
    Job job = jobs.start(kind, Text.plain("orders.dead"), "", it -> {
      published.forEach(it::published);
      return new Job.Result(Text.NONE, new ReportJson(), Optional.empty());
    });
    assertThat(job.endsWithin(Duration.ofMinutes(1))).isTrue();
    return job;
  }

  @Test
  void many_published_ids_are_in_several_lines_of_which_none_is_cut() throws Exception {
    List<String> ids = IntStream.range(0, 10_000).mapToObj(i -> "order-" + i).toList();
    Job job = ended("redrive", ids);
    Planned planned =
        new Planned(Text.plain("orders.dead"), List.of(), List.of(), () -> new Refused(Text.NONE));
    recorded.ended(ANN, "redrive", planned, job);

    List<ActionRow> rows = log.page(Optional.empty()).rows();
    assertThat(rows).hasSizeGreaterThan(1).allSatisfy(row -> {
      assertThat(row.result()).hasToString("job " + job.id() + " ENDED, 10000 published");
      assertThat(String.join("", row.ids())).hasSizeLessThanOrEqualTo(16_000);
    });
    assertThat(rows).flatExtracting(ActionRow::ids).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void an_action_without_a_published_message_concerns_those_that_it_was_planned_for()
      throws Exception {
    Planned planned = new Planned(
        Text.plain("orders.dead"), List.of("a"), List.of(), () -> new Refused(Text.NONE));
    recorded.begins(ANN, "redrive", planned.subject(), planned.ids());
    recorded.ended(ANN, "redrive", planned, ended("redrive", List.of()));
    recorded.ended(ANN, "redeliver", planned, ended("redeliver", List.of()));

    assertThat(log.page(Optional.empty()).rows())
        .extracting(ActionRow::ids)
        .containsExactly(List.of("a"), List.of("a"), List.of("a"));
    assertThat(log.page(Optional.empty()).rows().get(0).result().toString())
        .endsWith("ENDED, 0 changed");
  }
}
