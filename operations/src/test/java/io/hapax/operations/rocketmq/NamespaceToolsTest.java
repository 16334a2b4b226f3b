package io.hapax.operations.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Verdict;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.Map;
import org.apache.rocketmq.client.ClientConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A group with a namespace. The brokers know its topics and its group by longer names. */
class NamespaceToolsTest extends OperationsFixture {

  private static final RocketMqTestBroker ROCKET_MQ = RocketMqTestBroker.INSTANCE;

  private final String wire = "one%" + topic;
  private final TopicPart all = TopicPart.all(topic);
  private final StartingPoint beginning = StartingPoint.beginning();

  NamespaceToolsTest() {
    super(ROCKET_MQ);
  }

  @BeforeEach
  void createTopic() {
    ROCKET_MQ.createTopic(wire, 2);
  }

  @SuppressWarnings("deprecation") // the old kind of namespace is deprecated, and still works
  private static RocketMqOperations inNamespace() {
    ClientConfig client = ROCKET_MQ.client(new ClientConfig());
    client.setNamespace("one");
    return RocketMqOperations.of(RocketMqTestBroker.SETTINGS, client);
  }

  @Test
  void audit_and_replay_use_the_names_of_the_namespace() throws Exception {
    String group = ROCKET_MQ.group("one%");
    broker.send(wire, 0, "a", "b", "new");
    done("a", "b");
    broker.commit("one%" + group, wire, 0, 2);
    var audit = inNamespace().audit(store, AuditProgress.NONE);

    assertThat(audit.run(all, beginning).ids().done()).isEqualTo(2);
    GroupReplay replay = open(inNamespace().replay(group));
    ReplayPlan plan = replay.plan(all, beginning);
    assertThat(plan.again()).isEqualTo(2);
    assertThat(audit.runAgain(plan).settled()).isTrue();
    replay.execute(plan);
    assertThat(broker.committed("one%" + group, wire, 0)).isZero();
  }

  @Test
  void an_audit_without_the_namespace_does_not_see_its_topic() throws Exception {
    broker.send(wire, 0, "a");

    assertThat(broker
            .operations()
            .audit(store, AuditProgress.NONE)
            .run(all, beginning)
            .messages())
        .isZero();
    assertThatThrownBy(() -> inNamespace()
            .audit(store, AuditProgress.NONE)
            .run(TopicPart.all("no-such-topic"), beginning))
        .hasMessage("topic no-such-topic does not exist");
  }

  @Test
  void messages_return_to_the_queue_of_the_namespace_that_they_came_from() throws Exception {
    String letters = ROCKET_MQ.topic(1);
    ROCKET_MQ.createTopic("one%" + letters, 1);
    broker.bury("one%" + letters, letter(new Sent("poison"), first(1)), topic, Map.of());
    settle("poison", new Verdict.Dead("no such item"));
    broker.send(wire, 0, "lost");
    vanishedWith("lost", broker.place(wire, 0) + "@0");
    var redriver = open(inNamespace().redriver(store));

    assertThat(redrive(redriver, letters, RedriveSettings.to(topic)).published())
        .isEqualTo(1);
    assertThat(redriver.redeliver("lost")).isEqualTo(new Published());

    assertThat(broker.read(wire, 1, 1)).containsExactly(new Sent("poison"));
    assertThat(broker.read(wire, 0, 2)).containsExactly(new Sent("lost"), new Sent("lost"));
  }
}
