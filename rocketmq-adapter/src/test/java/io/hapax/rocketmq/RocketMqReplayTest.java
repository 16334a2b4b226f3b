package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayMove;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.ReplayRefusedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic is audited without a trace, and a stopped group is moved back without an effect. */
@Timeout(180)
class RocketMqReplayTest extends WithConsumers {

  private AuditSettings<MessageExt> settings() {
    return AuditSettings.of(group, RocketMqIds.standard(), RocketMqFingerprints.body());
  }

  private RocketMqAudit audit() {
    return RocketMqAudit.of(store, settings(), client(new ClientConfig()));
  }

  private RocketMqReplay replay() {
    return open(RocketMqReplay.of(client(new ClientConfig()), group));
  }

  /** Has some messages handled by the service, and stops it. */
  private void handled(String... keys) throws Exception {
    send(keys);
    try (RocketMqReceiver service = receive(it -> effects.add(body(it.message())))) {
      await().atMost(BOUND).until(() -> effects.containsAll(Set.of(keys)));
      await().atMost(BOUND).until(() -> Set.of(keys).stream().allMatch(this::isDone));
      assertThat(service.problems()).isEmpty();
    }
    await()
        .atMost(BOUND)
        .ignoreExceptionsInstanceOf(ReplayRefusedException.class)
        .until(this::isCommitted);
  }

  /** A client that ends sends its last offsets without waiting for an answer. */
  private boolean isCommitted() throws InterruptedException {
    return stands().stream().allMatch(move -> move.committed().orElse(0) == move.end());
  }

  /** Where the group stands in each queue. */
  private List<ReplayMove> stands() throws InterruptedException {
    return replay().plan(TopicPart.all(topic), StartingPoint.beginning()).moves();
  }

  @Test
  void an_audit_leaves_no_group_and_moves_no_offset() throws Exception {
    createTopic(2);
    handled("a", "b");
    claimedByAnother("held", Duration.ofHours(1));
    send("held", "new", "new");
    send(message("a", "another payload"));
    Set<String> before = groups();
    List<ReplayMove> stands = stands();

    AuditReport report = audit().run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.messages()).isEqualTo(6);
    assertThat(report.duplicates()).isEqualTo(1);
    assertThat(report.conflicts()).isEqualTo(1);
    assertThat(report.ids()).isEqualTo(new AuditReport.Ids(4, 2, 1, 0, 0, 0, 1, 0, 0));
    assertThat(groups()).isEqualTo(before);
    assertThat(stands()).isEqualTo(stands).isNotEmpty();
    assertThat(audit()
            .run(TopicPart.all(topic), StartingPoint.at(Instant.now().plusSeconds(3600)))
            .messages())
        .isZero();
  }

  @Test
  void duplicates_that_differ_in_a_property_but_not_only_in_tracing_are_reported()
      throws Exception {
    createTopic(1);
    for (String type : List.of("created", "created", "paid")) {
      for (String key : List.of("17", "18")) {
        Message message = message(key, "order");
        message.putUserProperty("traceparent", UUID.randomUUID().toString());
        message.putUserProperty("type", key.equals("17") ? type : "created");
        send(message);
      }
    }

    AuditReport report = audit().run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(report.duplicates()).isEqualTo(4);
    assertThat(report.otherHeaders().ids()).isEqualTo(1);
    assertThat(report.otherHeaders().samples())
        .singleElement()
        .asString()
        .startsWith(topic + "/17 at " + topic)
        .endsWith("@4");
  }

  @Test
  void an_audit_begins_at_an_offset_or_between_two_messages() throws Exception {
    createTopic(1);
    send("a", "b");
    Instant between = moment();
    send("c");

    assertThat(audit().run(TopicPart.all(topic), StartingPoint.offset(1)).messages())
        .isEqualTo(2);
    assertThat(audit().run(TopicPart.all(topic), StartingPoint.at(between)).samples())
        .singleElement()
        .satisfies(sample -> assertThat(sample.id()).isEqualTo(topic + "/c"));
    assertThatThrownBy(() -> audit().run(TopicPart.all(topic), StartingPoint.offset(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-0 ends at 3");
  }

  @Test
  void what_a_move_forwards_would_lose_is_named_and_skipped() throws Exception {
    createTopic(1);
    handled("a");
    send("lost");
    RocketMqReplay replay = replay();

    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.offset(2));
    AuditReport lost = audit().runSkipped(plan);
    replay.execute(plan);

    assertThat(plan.skipped()).isEqualTo(1);
    assertThat(plan.again()).isZero();
    assertThat(plan.toText()).contains("MESSAGES SKIPPED: up to 1");
    assertThat(lost.wouldRunAgain()).isEqualTo(1);
    send("next");
    receive(it -> effects.add(body(it.message())));
    await().atMost(BOUND).until(() -> effects.contains("next"));
    assertThat(effects).containsExactly("a", "next");
  }

  @Test
  void the_plan_of_another_group_is_refused() throws Exception {
    createTopic(1);
    handled("a");
    RocketMqReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    ReplayPlan others = new ReplayPlan("others", plan.part(), plan.to(), plan.moves());

    assertThatThrownBy(() -> replay.execute(others))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("plan is of group others but must be of group " + group);
    assertThat(stands()).as("nothing was moved").isEqualTo(plan.moves());
  }

  @Test
  void a_replayed_group_reads_everything_again_and_nothing_takes_effect() throws Exception {
    createTopic(1);
    handled("a", "b", "c");
    RocketMqReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(plan.again()).isEqualTo(3);
    assertThat(audit().runAgain(plan).settled()).isTrue();
    replay.execute(plan);

    assertThat(replay.plan(TopicPart.all(topic), StartingPoint.beginning()).again())
        .as("it is there")
        .isZero();
    outcomes.clear();
    receive(it -> effects.add(body(it.message())));
    await().atMost(BOUND).until(() -> count(io.hapax.adapter.Outcome.Duplicate.class) == 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_group_is_moved_back_to_a_time_between_two_messages() throws Exception {
    createTopic(1);
    handled("a", "b");
    Instant between = moment();
    handled("c");
    RocketMqReplay replay = replay();
    String place = Coordinates.queueName(queue());

    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.at(between));
    replay.execute(plan);

    assertThat(plan.moves()).containsExactly(new ReplayMove(place, OptionalLong.of(3), 2, 3));
    assertThat(stands()).containsExactly(new ReplayMove(place, OptionalLong.of(2), 0, 3));
    outcomes.clear();
    receive(it -> effects.add(body(it.message())));
    await().atMost(BOUND).until(() -> count(io.hapax.adapter.Outcome.Duplicate.class) == 1);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_group_with_clients_is_not_moved() throws Exception {
    createTopic(1);
    handled("a");
    RocketMqReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    receive(it -> effects.add(body(it.message())));
    await().atMost(BOUND).until(() -> replay.status(topic).members() == 1);

    assertThatThrownBy(() -> replay.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("has clients");
    assertThatThrownBy(() -> replay.execute(plan)).isInstanceOf(ReplayRefusedException.class);
    assertThatThrownBy(() -> replay.requireStopped(topic))
        .isInstanceOf(ReplayRefusedException.class);
  }

  @Test
  void a_group_that_moved_since_the_plan_is_not_moved() throws Exception {
    createTopic(1);
    handled("a", "b");
    RocketMqReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.offset(1));
    rewind(0);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("has moved in " + topic);
    assertThat(replay.plan(TopicPart.all(topic), StartingPoint.beginning()).again())
        .as("it is where it was moved to by another")
        .isZero();
  }

  @Test
  void a_group_that_rocketmqs_own_tools_have_reset_is_not_said_to_be_moved() throws Exception {
    createTopic(1);
    handled("a", "b", "c");
    resetByTools(2);
    RocketMqReplay replay = replay();
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    assertThat(plan.again()).isEqualTo(2);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageStartingWith("group " + group + " was not moved: in " + topic)
        .hasMessageContaining("-0 it is at 2 and not at 0");
  }

  @Test
  void a_client_that_connects_while_the_group_is_moved_is_named() throws Exception {
    createTopic(1);
    handled("a");
    MessageQueue queue = new MessageQueue(topic, "local", 0);
    RocketMqReplay replay = replay();
    replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    replay.requireMoved(Map.of(queue, 1L));
    receive(it -> effects.add(body(it.message())));
    await().atMost(BOUND).until(() -> replay.status(topic).members() == 1);

    assertThatThrownBy(() -> replay.requireMoved(Map.of(queue, 1L)))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageContaining("of group " + group + " have connected to broker " + broker());
  }

  /** The broker keeps it until the group pulls, and takes no other offset meanwhile. */
  private void resetByTools(long offset) throws Exception {
    assertThat(operator()
            .api()
            .invokeBrokerToResetOffset(broker(), topic, group, 0, 0, offset, 10_000))
        .hasSize(1);
  }

  @Test
  void a_group_or_a_topic_that_does_not_exist_is_named() throws Exception {
    createTopic(1);
    RocketMqReplay replay = replay();

    assertThatThrownBy(() -> replay.plan(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("group " + group + " does not exist");
    assertThatThrownBy(() -> replay.plan(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
        .hasMessage("topic no-such-topic does not exist");
    assertThatThrownBy(() -> audit().run(TopicPart.all("no-such-topic"), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
