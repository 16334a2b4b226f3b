package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.Outcome;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer of some tags is audited and moved back without the messages of others. */
@Timeout(180)
class TagsTest extends WithConsumers {

  private static final String TAGS = "Aa || new";

  @BeforeEach
  void send_messages_of_which_the_consumer_is_delivered_two() throws Exception {
    createTopic(1);
    sendTagged("old", "other");
    sendTagged("BB", "of-the-same-hash-code-as-Aa");
    send("untagged");
    sendTagged("new", "a");
    sendTagged("Aa", "b"); // the last one, so that the group has read all of them
  }

  private void sendTagged(String tag, String key) throws Exception {
    Message message = message(key, key);
    message.setTags(tag);
    send(message);
  }

  private RocketMqAudit audit() {
    return RocketMqAudit.of(
        store,
        AuditSettings.of(group, RocketMqIds.standard(), RocketMqFingerprints.body()),
        client(new ClientConfig()));
  }

  private RocketMqReceiver receiveTagged() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.subscribe(topic, TAGS);
    return open(RocketMqReceiver.start(
        open(builder(consumer).leased(store, it -> effects.add(body(it.message())))), consumer));
  }

  /** Has the service handle what it is delivered, and stops it. */
  private void handled() throws Exception {
    try (RocketMqReceiver service = receiveTagged()) {
      await().atMost(BOUND).until(() -> isDone("a") && isDone("b"));
      await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 2);
      assertThat(service.trouble()).isEmpty();
    }
  }

  @Test
  void what_a_consumer_of_some_tags_is_never_delivered_is_left_out_and_counted() throws Exception {
    handled();

    AuditReport all = audit().run(TopicPart.all(topic), StartingPoint.beginning());
    AuditReport own = audit().withTags(TAGS).run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(all.wouldRunAgain()).isEqualTo(3);
    assertThat(all.leftOut()).isZero();
    assertThat(own.messages()).isEqualTo(2);
    assertThat(own.ids().done()).isEqualTo(2);
    assertThat(own.leftOut()).isEqualTo(3);
    assertThat(own.settled()).isTrue();
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void what_would_run_of_its_own_tags_still_counts() throws Exception {
    handled();
    sendTagged("new", "c");

    AuditReport own = audit().withTags(TAGS).run(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(own.wouldRunAgain()).isEqualTo(1);
    assertThat(own.samples())
        .singleElement()
        .satisfies(sample -> assertThat(sample.id()).isEqualTo(topic + "/c"));
  }

  @Test
  void a_replay_brings_it_only_its_own_which_take_no_effect() throws Exception {
    handled();
    RocketMqReplay replay = open(RocketMqReplay.of(client(new ClientConfig()), group));
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());

    assertThat(plan.again()).as("of all tags").isEqualTo(5);
    assertThat(audit().runAgain(plan).wouldRunAgain()).isEqualTo(3);
    AuditReport again = audit().withTags(TAGS).runAgain(plan);
    assertThat(again.settled()).isTrue();
    assertThat(again.leftOut()).isEqualTo(3);
    replay.execute(plan);

    outcomes.clear();
    receiveTagged();
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 2);
    assertThat(outcomes).hasSize(2);
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }
}
