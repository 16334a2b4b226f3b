package io.hapax.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.console.Marks;
import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.action.ActionResult.Started;
import io.hapax.console.job.Audits;
import io.hapax.console.job.Jobs;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.console.operations.Deployment;
import io.hapax.generation.Generations;
import io.hapax.kafka.KafkaIds;
import io.hapax.operations.text.Text;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a group is moved. */
class TopicActionsTest {

  private final InMemoryDedupStore store = new InMemoryDedupStore();
  private final Jobs jobs = new Jobs(InstantSource.system());
  private final OrderTopics topics = new OrderTopics(Marks.CONSUMER);
  private final TopicActions actions =
      new TopicActions(topics.deployment(store), jobs, new Audits());

  /** The group has handled the only message of its topic. */
  @BeforeEach
  void work() throws Exception {
    topics.publish("a");
    Marks.done(store, "a");
    topics.commit(1);
  }

  @AfterEach
  void stop() {
    jobs.close();
  }

  private Planned planned() throws Exception {
    List<Planned> plans = new ArrayList<>();
    ActionResult outcome = actions.replay(new Fields(Map.of()), plan -> {
      plans.add(plan);
      return "plan";
    });
    assertThat(((Started) outcome).job().endsWithin(Duration.ofMinutes(1))).isTrue();
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

    ActionResult refused = actions.replay(new Fields(forwards), plan -> {
      throw new AssertionError("planned");
    });

    assertThat(((Started) refused).job().endsWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(((Started) refused).job().view().error()).isEqualTo(Text.NONE);
    assertThat(((Started) refused).job().view().text().toString())
        .contains("Some of these messages are not settled");
    assertThat(((Started) refused).job().result().orElseThrow().json().text())
        .contains("\"settled\" : true,\n    \"skippable\" : false");
  }

  @Test
  void a_wrong_place_of_the_id_moves_no_group_and_is_named() throws Exception {
    Deployment wrong = topics.deployment(store, KafkaIds.header("orderid"));
    TopicActions mistaken = new TopicActions(wrong, jobs, new Audits());
    ActionResult audit = mistaken.audit(new Fields(Map.of()), plan -> "plan");
    ActionResult replay = mistaken.replay(new Fields(Map.of()), plan -> {
      throw new AssertionError("planned");
    });

    assertThat(((Started) audit).job().endsWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(((Started) audit).job().view().text().toString())
        .contains("DOUBTFUL: is the place of the id (--id) right?");
    assertThat(((Started) replay).job().endsWithin(Duration.ofMinutes(1))).isTrue();
    assertThat(((Started) replay).job().view().error()).isEqualTo(Text.NONE);
  }

  @Test
  void an_id_that_is_not_hexadecimal_is_refused() {
    Fields fields = new Fields(Map.of("bytes", List.of("0x6")));

    assertThatThrownBy(() -> actions.search(fields, plan -> "plan"))
        .hasMessage("the field bytes is 0x6 but must be 0x and pairs of the digits 0-9 and a-f");
  }

  @Test
  void a_group_is_not_moved_if_its_consumer_is_in_another_generation_since() throws Exception {
    Planned planned = planned();
    Generations.advance(store, Marks.CONSUMER, 0);

    assertThat(planned.execution().execute()).isEqualTo(new Refused(Text.of("generation.since")));
    assertThat(topics.committed()).isOne();
  }
}
