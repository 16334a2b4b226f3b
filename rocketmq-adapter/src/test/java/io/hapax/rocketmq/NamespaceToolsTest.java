package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Audit, replay, redrive and redelivery of a group with a namespace. */
@Timeout(180)
class NamespaceToolsTest extends WithNamespaces {

  private final AtomicBoolean mended = new AtomicBoolean();

  private void handle(Delivery<MessageExt> delivery) {
    if (body(delivery.message()).equals("poison") && !mended.get()) {
      throw new RejectedMessageException("no such item");
    }
    effects.add(body(delivery.message()));
  }

  private RocketMqReceiver receiveIn(String namespace) throws Exception {
    DefaultMQPushConsumer consumer = consumerIn(namespace);
    return open(
        RocketMqReceiver.start(open(builder(consumer).leased(store, this::handle)), consumer));
  }

  private RocketMqAudit audit(ClientConfig like) {
    return RocketMqAudit.of(
        store, AuditSettings.of(group, RocketMqIds.standard(), RocketMqFingerprints.body()), like);
  }

  @Test
  void audit_and_replay_use_the_names_of_the_namespace() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "a", "b", "c");
    try (RocketMqReceiver service = receiveIn(ONE)) {
      await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 3);
      assertThat(service.problems()).isEmpty();
    }
    sendIn(ONE, "new");
    Set<String> before = groups();

    AuditReport report = audit(clientIn(ONE, new ClientConfig()))
        .run(TopicPart.all(topic), StartingPoint.beginning());
    assertThat(report.messages()).isEqualTo(4);
    assertThat(report.ids().done()).isEqualTo(3);
    assertThat(report.ids().unknown()).isEqualTo(1);

    RocketMqReplay replay = open(RocketMqReplay.of(clientIn(ONE, new ClientConfig()), group));
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    assertThat(plan.again()).isEqualTo(3);
    assertThat(audit(clientIn(ONE, new ClientConfig())).runAgain(plan).settled())
        .isTrue();
    replay.execute(plan);
    assertThat(groups()).isEqualTo(before);

    receiveIn(ONE);
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 3);
    await().atMost(BOUND).until(() -> effects.size() == 4);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "new");
  }

  @Test
  void an_audit_without_the_namespace_fails_with_a_missing_topic() throws Exception {
    createTopicIn(ONE, 1);

    assertThatThrownBy(() ->
            audit(client(new ClientConfig())).run(TopicPart.all(topic), StartingPoint.beginning()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic " + topic + " does not exist");
  }

  @Test
  void a_dead_letter_is_brought_back_to_the_queue_that_it_came_from() throws Exception {
    createTopicIn(ONE, 4);
    sendIn(ONE, "poison");
    receiveIn(ONE);
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
    String from = read("%DLQ%one%" + group, 1).get(0).getProperty("hapax-coordinates");
    mended.set(true);
    RocketMqRedriver redriver = open(RocketMqRedriver.of(
        store,
        group,
        RocketMqIds.standard(),
        RedriveSettings.to(topic),
        clientIn(ONE, new ClientConfig())));

    assertThat(redriver
            .redrive(
                TopicPart.all("%DLQ%" + group),
                StartingPoint.beginning(),
                DeadLetterSelection.all())
            .published())
        .isEqualTo(1);

    await().atMost(BOUND).until(() -> effects.contains("poison"));
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(state(group, "poison")).contains(MarkState.DONE));
    String queue = from.substring(0, from.indexOf('@'));
    assertThat(read("one%" + topic, 2))
        .allMatch(message -> queue.endsWith("-" + message.getQueueId()));
  }

  @Test
  void a_returned_message_comes_from_the_retry_topic_of_its_namespace() throws Exception {
    createTopicIn(ONE, 1);
    sendIn(ONE, "lost");
    DefaultMQPushConsumer consumer = consumerIn(ONE);
    try (var receiver = builder(consumer)
            .retry(new RetrySettings(99, Duration.ofMillis(50), Duration.ofMillis(100)))
            .leased(store, delivery -> {
              throw new IllegalStateException("not yet");
            });
        var service = RocketMqReceiver.start(receiver, consumer)) {
      await().atMost(BOUND).until(() -> count(Outcome.Deferred.class) >= 2);
      assertThat(service.problems()).isEmpty();
    }
    RocketMqRedelivery redelivery = open(RocketMqRedelivery.of(
        new MarkOperations(store, group),
        RocketMqIds.standard(),
        clientIn(ONE, new ClientConfig())));

    assertThat(redelivery.execute(topic + "/lost")).isEqualTo(new RedriveResult.Published());

    assertThat(read("one%" + topic, 2)).allMatch(message -> body(message).equals("lost"));
  }
}
