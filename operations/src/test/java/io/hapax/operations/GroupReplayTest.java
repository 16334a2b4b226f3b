package io.hapax.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.GroupStatus;
import io.hapax.operations.replay.ReplayMove;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.replay.ReplayRefusedException;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A stopped group is moved back without an effect, and its lag is counted. */
@ParameterizedClass
@MethodSource("io.hapax.operations.TestBroker#all")
class GroupReplayTest extends OperationsFixture {

  GroupReplayTest(TestBroker broker) {
    super(broker);
  }

  private GroupReplay replay(String group) {
    return open(broker.operations().replay(group));
  }

  private ReplayPlan toTheBeginning(GroupReplay replay) throws InterruptedException {
    return replay.plan(TopicPart.all(topic), StartingPoint.beginning());
  }

  private TopicAudit audit() {
    return broker.operations().audit(store, AuditProgress.NONE);
  }

  /** Makes a group that has read some messages of the first part. */
  private String stopped(String... ids) throws Exception {
    String group = broker.group();
    broker.send(topic, 0, ids);
    done(ids);
    broker.commit(group, topic, 0, ids.length);
    return group;
  }

  @Test
  void a_replayed_group_reads_everything_again_and_nothing_takes_effect() throws Exception {
    broker.send(topic, 0, "a", "b", "c");
    String group = broker.group();
    try (AutoCloseable service = serve(group)) {
      await().atMost(BOUND).until(() -> broker.committed(group, topic, 0) == 3);
      assertThat(service).isNotNull();
    }
    GroupReplay replay = replay(group);
    await().atMost(BOUND).until(() -> replay.status(topic).members() == 0);
    ReplayPlan plan = toTheBeginning(replay);

    assertThat(plan.again()).isEqualTo(3);
    assertThat(plan.skipped()).isZero();
    assertThat(broker.committed(group, topic, 0)).as("a plan moves nothing").isEqualTo(3);
    AuditReport verdict = audit().runAgain(plan);
    assertThat(verdict.messages()).isEqualTo(3);
    assertThat(verdict.settled()).isTrue();

    replay.execute(plan);

    assertThat(broker.committed(group, topic, 0)).isZero();
    serve(group);
    await().atMost(BOUND).until(() -> broker.committed(group, topic, 0) == 3);
    assertThat(effects).containsExactlyInAnyOrder("body of a", "body of b", "body of c");
  }

  @Test
  void a_group_beyond_the_end_of_its_topic_is_brought_back() throws Exception {
    String group = stopped("a", "b");
    broker.commit(group, topic, 0, 100); // as after brokers that have lost the end of their log
    GroupReplay replay = replay(group);

    ReplayPlan plan = toTheBeginning(replay);
    AuditReport verdict = audit().runAgain(plan);
    replay.execute(plan);

    assertThat(plan.again()).isEqualTo(2);
    assertThat(verdict.messages()).isEqualTo(2);
    assertThat(verdict.settled()).isTrue();
    assertThat(broker.committed(group, topic, 0)).isZero();
  }

  @Test
  void the_verdict_of_a_replay_leaves_out_what_was_not_read_yet() throws Exception {
    GroupReplay replay = replay(stopped("a"));
    broker.send(topic, 0, "not read yet");

    assertThat(audit().runAgain(toTheBeginning(replay)).messages()).isEqualTo(1);
  }

  @Test
  void what_a_move_forwards_would_lose_is_named() throws Exception {
    GroupReplay replay = replay(stopped("a"));
    broker.send(topic, 0, "lost");

    ReplayPlan plan = replay.plan(
        new TopicPart(topic, Set.of(0)), new StartingPoint.Time(Instant.now().plusSeconds(3600)));

    assertThat(plan.skipped()).isEqualTo(1);
    assertThat(plan.again()).isZero();
    assertThat(plan.toText().toString()).contains("MESSAGES SKIPPED: up to 1");
    assertThat(audit().runSkipped(plan).wouldRunAgain()).isEqualTo(1);
  }

  /** Its consumer has not dead-lettered it, because it has not read it. */
  @Test
  void a_message_without_an_id_is_lost_if_it_is_skipped() throws Exception {
    GroupReplay replay = replay(stopped("a"));
    broker.send(topic, 0, "b");
    done("b");
    StartingPoint end = new StartingPoint.Time(Instant.now().plusSeconds(3600));
    TopicPart part = new TopicPart(topic, Set.of(0));
    assertThat(audit().runSkipped(replay.plan(part, end)).skippable()).isTrue();

    broker.send(topic, 0, List.of(new Sent("", "without an id", Map.of())));

    AuditReport skipped = audit().runSkipped(replay.plan(part, end));
    assertThat(skipped.missingIds()).isEqualTo(1);
    assertThat(skipped.skippable()).isFalse();
  }

  @Test
  void a_part_that_the_group_has_never_read_is_not_skipped() throws Exception {
    String group = stopped("a");
    broker.send(topic, 1, "never read");
    GroupReplay replay = replay(group);

    ReplayPlan plan =
        replay.plan(TopicPart.all(topic), new StartingPoint.Time(Instant.now().plusSeconds(3600)));
    replay.execute(plan);

    assertThat(plan.moves()).extracting(ReplayMove::place).containsExactly(broker.place(topic, 0));
    assertThat(broker.committed(group, topic, 1)).isEqualTo(-1);
  }

  @Test
  void a_group_with_members_is_not_moved() throws Exception {
    String group = stopped("a");
    GroupReplay replay = replay(group);
    ReplayPlan plan = toTheBeginning(replay);
    serve(group);
    await().atMost(BOUND).until(() -> replay.status(topic).members() == 1);

    assertThatThrownBy(() -> toTheBeginning(replay))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageStartingWith("group " + group + " ")
        .hasMessageEndingWith(": stop them. Nothing was moved");
    assertThatThrownBy(() -> replay.execute(plan)).isInstanceOf(ReplayRefusedException.class);
    assertThatThrownBy(() -> replay.requireStopped(topic))
        .isInstanceOf(ReplayRefusedException.class);
    assertThat(broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_that_moved_since_the_plan_is_not_moved() throws Exception {
    String group = stopped("a", "b");
    GroupReplay replay = replay(group);
    ReplayPlan plan = toTheBeginning(replay);
    broker.commit(group, topic, 0, 1);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("has moved in " + broker.place(topic, 0));
    assertThat(broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void the_plan_of_another_group_is_refused() throws Exception {
    String group = stopped("a");
    GroupReplay replay = replay(group);
    ReplayPlan plan = toTheBeginning(replay);
    ReplayPlan others = new ReplayPlan("others", plan.part(), plan.to(), plan.moves());

    assertThatThrownBy(() -> replay.execute(others))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("plan is of group others but must be of group " + group);
    assertThat(broker.committed(group, topic, 0)).isEqualTo(1);
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    GroupReplay unknown = replay("nobody-at-all");
    GroupReplay known = replay(stopped("a"));
    String other = broker.topic(1);

    assertThatThrownBy(() -> toTheBeginning(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group nobody-at-all does not exist");
    assertThatThrownBy(() -> unknown.status(topic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group nobody-at-all does not exist");
    assertThatThrownBy(() -> known.status("no-such-topic"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic no-such-topic does not exist");
    assertThatThrownBy(() -> known.plan(TopicPart.all(other), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("no committed offset");
  }

  @Test
  void the_lag_is_the_messages_behind_the_committed_offsets() throws Exception {
    GroupReplay group = replay(stopped("a", "b"));
    assertThat(group.status(topic)).isEqualTo(new GroupStatus(0, 0));

    broker.send(topic, 0, "c");
    broker.send(topic, 1, "d", "e");

    assertThat(group.status(topic)).as("one part was never read").isEqualTo(new GroupStatus(3, 0));
  }

  @Test
  void an_offset_beyond_the_end_is_no_negative_lag() throws Exception {
    String group = stopped("a");
    broker.send(topic, 1, "b");
    broker.commit(group, topic, 0, 100);

    assertThat(replay(group).status(topic).lag()).isEqualTo(1);
  }
}
