package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.audit.AuditReport;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ReplayRefusedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A stopped group is moved back without an effect. */
class KafkaReplayTest extends AuditedTopic {

  private KafkaReplay replay() {
    return open(KafkaReplay.of(Broker.consumer(group), group));
  }

  @Test
  void a_replayed_group_reads_everything_again_and_nothing_takes_effect() throws Exception {
    handled("a", "b", "c");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(plan.again()).isEqualTo(3);
    assertThat(plan.skipped()).isZero();
    assertThat(Broker.committed(group, topic, 0)).as("a plan moves nothing").isEqualTo(3);
    AuditReport verdict = KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).runAgain(plan);
    assertThat(verdict.messages()).isEqualTo(3);
    assertThat(verdict.settled()).isTrue();

    replay.execute(plan);

    assertThat(Broker.committed(group, topic, 0)).isZero();
    start(topic, this::record);
    awaitCommitted(topic, 3);
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_group_beyond_the_end_of_its_topic_is_brought_back() throws Exception {
    handled("a", "b");
    Broker.commit(group, topic, 0, 100); // as after brokers that have lost the end of their log
    KafkaReplay replay = replay();

    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    AuditReport verdict = KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
        .withPatience(Duration.ofSeconds(10))
        .runAgain(plan);
    replay.execute(plan);

    assertThat(plan.again()).isEqualTo(2);
    assertThat(verdict.messages()).isEqualTo(2);
    assertThat(verdict.settled()).isTrue();
    assertThat(Broker.committed(group, topic, 0)).isZero();
  }

  @Test
  void the_verdict_of_a_replay_leaves_out_what_was_not_read_yet() throws Exception {
    handled("a");
    Broker.send(topic, 0, "not read yet");

    ReplayPlan plan = replay().plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(KafkaAudit.of(store, SETTINGS, Broker.consumer(group))
            .runAgain(plan)
            .messages())
        .isEqualTo(1);
  }

  @Test
  void what_a_move_forwards_would_lose_is_named() throws Exception {
    handled("a");
    Broker.send(topic, 0, "lost");

    ReplayPlan plan = replay()
        .plan(new TopicPart(topic, Set.of(0)), StartingPoint.at(Instant.now().plusSeconds(3600)));

    assertThat(plan.skipped()).isEqualTo(1);
    assertThat(plan.again()).isZero();
    assertThat(plan.toText()).contains("MESSAGES SKIPPED: up to 1");
    AuditReport lost = KafkaAudit.of(store, SETTINGS, Broker.consumer(group)).runSkipped(plan);
    assertThat(lost.wouldRunAgain()).isEqualTo(1);
  }

  @Test
  void a_partition_that_the_group_has_never_read_is_not_skipped() throws Exception {
    handled("a");
    try (Admin admin = Broker.admin()) { // as where nothing was committed while it was empty
      admin
          .deleteConsumerGroupOffsets(group, Set.of(new TopicPartition(topic, 1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    Broker.send(topic, 1, "never read");
    KafkaReplay replay = replay();

    ReplayPlan plan =
        replay.plan(TopicPart.all(topic), StartingPoint.at(Instant.now().plusSeconds(3600)));
    replay.execute(plan);

    assertThat(plan.moves()).extracting(ReplayMove::place).containsExactly(topic + "-0");
    try (KafkaReceiver<String, String> service = start(topic, this::record)) {
      awaitCommitted(topic, 1, Broker.end(topic, 1));
    }
    assertThat(effects).containsExactly("a", "never read");
  }

  @Test
  void a_group_with_members_is_not_moved() throws Exception {
    handled("a");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    start(topic, this::record);
    await().atMost(BOUND).until(() -> !Broker.owners(group).isEmpty());

    assertThatThrownBy(() -> replay.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("members");
    assertThatThrownBy(() -> replay.execute(plan)).isInstanceOf(ReplayRefusedException.class);
    assertThatThrownBy(replay::requireStopped).isInstanceOf(ReplayRefusedException.class);
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_that_moved_since_the_plan_is_not_moved() throws Exception {
    handled("a", "b");
    KafkaReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    Broker.commit(group, topic, 0, 1);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("has moved");
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void the_plan_of_another_group_is_refused() throws Exception {
    handled("a");
    ReplayPlan plan = replay().plan(TopicPart.all(topic), StartingPoint.beginning());
    ReplayPlan others = new ReplayPlan("others", plan.part(), plan.to(), plan.moves());

    assertThatThrownBy(() -> replay().execute(others))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("plan is of group others but must be of group " + group);
    assertThat(Broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    handled("a");
    KafkaReplay unknown = open(KafkaReplay.of(Broker.consumer("nobody-at-all"), "nobody-at-all"));

    assertThatThrownBy(() -> unknown.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group nobody-at-all does not exist");
    assertThatThrownBy(
            () -> replay().plan(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
        .hasMessage("topic no-such-topic does not exist");
    String other = Broker.topic(1);
    assertThatThrownBy(() -> replay().plan(TopicPart.all(other), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("no committed offset");
  }
}
