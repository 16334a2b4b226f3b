package io.hapax.console.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.action.ActionLog;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.ReportJson;
import io.hapax.console.security.SignedInUser;
import io.hapax.console.view.ActionRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

  private Job redrive(List<String> published) throws Exception {
    Job job = jobs.start("redrive", "orders.dead", Map.of(), it -> {
      published.forEach(it::published);
      return new Job.Result("", new ReportJson(), Optional.empty());
    });
    assertThat(job.endsWithin(Duration.ofMinutes(1))).isTrue();
    return job;
  }

  /** Returns the results in the log, oldest first. */
  private List<String> results() throws Exception {
    List<String> results = new ArrayList<>();
    log.page(Optional.empty()).rows().stream().map(ActionRow::result).forEach(results::add);
    Collections.reverse(results);
    return results;
  }

  @Test
  void many_published_ids_are_in_several_lines_of_which_none_is_cut() throws Exception {
    List<String> ids = IntStream.range(0, 1_000).mapToObj(i -> "order-" + i).toList();
    Job job = redrive(ids);
    recorded.ended(ANN, "redrive", "orders.dead", job);

    String prefix = "job " + job.id() + " published ";
    List<String> lines = results().stream().filter(it -> it.startsWith(prefix)).toList();
    assertThat(lines).hasSizeGreaterThan(1).allSatisfy(it -> assertThat(it).hasSizeLessThan(1_600));
    assertThat(lines)
        .flatMap(it -> List.of(it.substring(prefix.length()).split(", ")))
        .containsExactlyElementsOf(ids);
  }
}
