package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.console.Marks;
import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.job.Audits;
import io.hapax.console.job.Job;
import io.hapax.console.operations.Deployment;
import io.hapax.generation.Generations;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a group is moved. */
class TopicActionsTest extends ActionFixture {

  private final TopicActions actions =
      new TopicActions(topics.deployment(store), jobs, new Audits());

  /** The group has handled the only message of its topic. */
  @BeforeEach
  void work() throws Exception {
    topics.publish("a");
    Marks.done(store, "a");
    topics.commit(1);
  }

  private Planned planned() throws Exception {
    dryRun(actions::replay, Map.of());
    return plans.get(0);
  }

  @Test
  void a_group_whose_messages_are_settled_is_moved() throws Exception {
    assertThat(planned().execution().execute()).isInstanceOf(Executed.class);
    assertThat(topics.committed()).isZero();
  }

  @Test
  void a_move_past_a_message_without_an_id_is_planned_only_if_that_is_accepted() throws Exception {
    topics.publish("b");
    Marks.done(store, "b");
    topics.publish("");
    Map<String, List<String>> forwards = Map.of("from", List.of("2100-01-01T00:00:00Z"));

    Job refused = dryRun(actions::replay, forwards);

    assertThat(plans).isEmpty();
    assertThat(refused.view().text().toString()).contains("Some of these messages are not settled");
    assertThat(refused.result().orElseThrow().json().text())
        .contains("\"settled\" : true,\n    \"skippable\" : false");
  }

  @Test
  void a_wrong_place_of_the_id_moves_no_group_and_is_named() throws Exception {
    Deployment wrong = topics.deployment(store, KafkaIds.header("orderid"));
    TopicActions mistaken = new TopicActions(wrong, jobs, new Audits());

    assertThat(dryRun(mistaken::audit, Map.of()).view().text().toString())
        .contains("DOUBTFUL: is the place of the id (--id) right?");
    dryRun(mistaken::replay, Map.of());
    assertThat(plans).isEmpty();
  }

  @Test
  void an_id_that_is_not_hexadecimal_is_refused() {
    Fields fields = new Fields(Map.of("bytes", List.of("0x6")));

    assertThatThrownBy(() -> actions.search(fields, plan -> "plan"))
        .hasMessage("the field bytes is 0x6 but must be 0x and pairs of the digits 0-9 and a-f");
  }

  @Test
  void the_generation_is_not_moved_for_a_group_that_does_not_exist() {
    GenerationAction generation = new GenerationAction(topics.deployment(store));
    Fields fields = new Fields(Map.of("expected", List.of("0"), "group", List.of("shipping")));

    assertThatThrownBy(() -> generation.plan(fields, plan -> "plan"))
        .hasMessageContaining("group shipping does not exist");
  }

  @Test
  void a_group_is_not_moved_if_its_consumer_is_in_another_generation_since() throws Exception {
    Planned planned = planned();
    Generations.advance(store, Marks.CONSUMER, 0);

    assertThat(planned.execution().execute()).isEqualTo(new Refused(Text.of("generation.since")));
    assertThat(topics.committed()).isOne();
  }
}
