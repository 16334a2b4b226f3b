package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.console.Marks;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Failure;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.StoredDeadLetter;
import io.hapax.operations.text.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which records are redriven after a dry run. */
class RedriveActionTest extends ActionFixture {

  private static final String FAILURE = "shop.NoPrice: order 1";

  private final RedriveAction action = new RedriveAction(topics.deployment(store), jobs);
  private int orders;

  /** Publishes an order whose consumer dead-letters it, and returns its offset. */
  private long dies(String id, String why) throws Exception {
    long offset = topics.publish(id);
    topics.deadLetter(offset, why);
    Marks.dead(store, id, why);
    orders++;
    return offset;
  }

  /** Returns the ids of what was published again. */
  private List<String> redriven() {
    List<String> ids = topics.ids();
    return ids.subList(orders, ids.size());
  }

  private Planned planned(String field, String value) throws Exception {
    dryRun(action, Map.of(field, List.of(value)));
    return plans.get(0);
  }

  @Test
  void what_died_after_the_dry_run_is_not_redriven() throws Exception {
    dies("a", FAILURE);
    dies("b", FAILURE);
    Planned planned = planned("all", "on");
    dies("c", FAILURE);
    Job job = ended(planned.execution().execute());
    String report = job.view().text().toString();

    assertThat(redriven()).containsExactly("a", "b");
    assertThat(job.takePublished()).containsExactly("a", "b");
    assertThat(report).containsPattern("records +3\n").containsPattern("published +2\n");
  }

  @Test
  void a_group_is_redriven_as_its_dry_run_has_seen_it() throws Exception {
    dies("a", FAILURE);
    dies("b", "shop.Other: order 2");
    Planned planned = planned("group", Failure.of("NOT_RETRYABLE", FAILURE, "").key());
    dies("c", FAILURE);
    ended(planned.execution().execute());

    assertThat(redriven()).containsExactly("a");
  }

  @Test
  void a_chosen_message_that_died_again_after_the_dry_run_is_redriven_once() throws Exception {
    long first = dies("a", FAILURE);
    dies("b", FAILURE);
    Planned planned = planned("id", "a");
    topics.deadLetter(first, FAILURE);
    ended(planned.execution().execute());

    assertThat(redriven()).containsExactly("a");
  }

  private static void remember(int number, RedriveResult answer, Map<String, String> planned) {
    StoredDeadLetter record = new StoredDeadLetter(
        "dead-0@" + number,
        Optional.empty(),
        DeadLetterMetadata.read(name -> Optional.empty()),
        Optional.empty(),
        Optional.empty());
    RedriveAction.remember(new RedriveSample(record, Optional.empty(), answer), planned);
  }

  @Test
  void a_dry_run_remembers_up_to_100000_records_to_publish() {
    Map<String, String> planned = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      remember(i, new RedriveResult.Published(), planned);
    }
    remember(100_000, new RedriveResult.Refused(Text.plain("it is not published")), planned);

    assertThat(planned).hasSize(100_000);
    assertThatThrownBy(() -> remember(100_000, new RedriveResult.Published(), planned))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the dry run found more than 100000 records to publish, which is the limit");
  }
}
