package io.hapax.operations.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A group that a RocketMQ broker does not move, although it answers that all is well. */
class RocketMqReplayTest extends OperationsFixture {

  private static final RocketMqTestBroker ROCKET_MQ = RocketMqTestBroker.INSTANCE;

  private final String group = ROCKET_MQ.group();

  RocketMqReplayTest() {
    super(ROCKET_MQ);
  }

  @Test
  void a_group_that_rocketmqs_own_tools_have_reset_is_not_said_to_be_moved() throws Exception {
    broker.send(topic, 0, "a", "b", "c");
    broker.commit(group, topic, 0, 3);
    assertThat(ROCKET_MQ
            .tools()
            .api()
            .invokeBrokerToResetOffset(ROCKET_MQ.broker(), topic, group, 0, 0, 2L, 10_000))
        .as("pending until the group pulls; the broker takes no other offset meanwhile")
        .hasSize(1);
    GroupReplay replay = open(broker.operations().replay(group));
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    assertThat(plan.again()).isEqualTo(2);

    assertThatThrownBy(() -> replay.execute(plan))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageStartingWith("group " + group + " was not moved: in " + topic)
        .hasMessageContaining("-0 it is at 2 and not at 0");
  }

  @Test
  void a_client_that_connects_while_the_group_is_moved_is_named() throws Exception {
    broker.send(topic, 0, "a");
    broker.commit(group, topic, 0, 1);
    RocketMqGroup moved = new RocketMqGroup(ROCKET_MQ.tools(), group);
    var wanted = Map.of(ROCKET_MQ.queue(topic, 0), 1L);
    moved.requireMoved(wanted);
    serve(group);
    await().atMost(BOUND).until(() -> moved.members(topic).count() == 1);

    assertThatThrownBy(() -> moved.requireMoved(wanted))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageContaining(
            "of group " + group + " have connected to broker " + ROCKET_MQ.broker());
  }
}
