package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.remoting.RPCHook;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Audit, replay, redrive and redelivery with credentials and TLS, and with wrong credentials. */
@Timeout(180)
class SecuredToolsTest extends WithSecuredBroker {

  private AuditReport audit(RPCHook credentials) throws Exception {
    return audit()
        .withCredentials(credentials)
        .run(TopicPart.all(topic), StartingPoint.beginning());
  }

  private RocketMqAudit audit() {
    return RocketMqAudit.of(
        store,
        AuditSettings.of(group, RocketMqIds.standard(), RocketMqFingerprints.body()),
        secured(new ClientConfig()));
  }

  private RocketMqReplay replay(RPCHook credentials) {
    return open(RocketMqReplay.of(secured(new ClientConfig()), credentials, group));
  }

  private RocketMqRedriver redriver(RPCHook credentials) {
    return open(RocketMqRedriver.of(
        store,
        group,
        RocketMqIds.standard(),
        RedriveSettings.to(topic),
        secured(new ClientConfig()),
        credentials));
  }

  private RocketMqRedelivery redelivery(RPCHook credentials) {
    return open(RocketMqRedelivery.of(
        new MarkOperations(store, group),
        RocketMqIds.standard(),
        secured(new ClientConfig()),
        credentials));
  }

  @Test
  void a_group_is_audited_and_moved_back() throws Exception {
    createSecuredTopic();
    sendSecured("a", "b");
    try (RocketMqReceiver service = push(signedBy(OPERATOR))) {
      awaitHandled(2, 0);
      assertThat(service.problems()).isEmpty();
    }

    assertThat(audit(signedBy(OPERATOR)).ids().done()).isEqualTo(2);
    RocketMqReplay replay = replay(signedBy(OPERATOR));
    ReplayPlan plan = replay.plan(TopicPart.all(topic), StartingPoint.beginning());
    assertThat(plan.again()).isEqualTo(2);
    replay.execute(plan);

    push(signedBy(OPERATOR));
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) == 2);
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void a_dead_letter_is_brought_back() throws Exception {
    createSecuredTopic();
    sendSecured("poison");
    push(signedBy(OPERATOR));
    awaitHandled(0, 1);

    assertThat(redriver(signedBy(OPERATOR))
            .redrive(
                TopicPart.all("%DLQ%" + group),
                StartingPoint.beginning(),
                DeadLetterSelection.all())
            .published())
        .isEqualTo(1);

    awaitHandled(0, 2);
  }

  @Test
  void a_message_of_an_open_mark_is_sent_again() throws Exception {
    createSecuredTopic();
    sendSecured("lost");
    leaveOpen();

    refused(() -> redelivery(signedWrong()).execute(topic + "/lost"));
    assertThat(redelivery(signedBy(OPERATOR)).execute(topic + "/lost"))
        .isEqualTo(new RedriveResult.Published());

    push(signedBy(OPERATOR));
    await().atMost(BOUND).until(() -> effects.equals(List.of("lost")));
  }

  private void leaveOpen() throws Exception {
    DefaultMQPushConsumer consumer = pushed(signedBy(OPERATOR));
    try (var receiver = builder(consumer)
            .retry(new RetrySettings(99, Duration.ofMillis(50), Duration.ofMillis(100)))
            .leased(store, delivery -> {
              throw new IllegalStateException("not yet");
            });
        var service = RocketMqReceiver.start(receiver, consumer)) {
      await().atMost(BOUND).until(() -> count(Outcome.Deferred.class) >= 1);
      assertThat(service.problems()).isEmpty();
    }
  }

  @Test
  void with_a_wrong_password_each_says_so() throws Exception {
    createSecuredTopic();
    TopicPart all = TopicPart.all(topic);
    StartingPoint beginning = StartingPoint.beginning();

    refused(() -> audit(signedWrong()));
    refused(() -> audit().run(all, beginning)); // unsigned
    refused(() -> replay(signedWrong()).plan(all, beginning));
    refused(() -> redriver(signedWrong()).redrive(all, beginning, DeadLetterSelection.all()));
  }

  private static void refused(ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOf(AuditFailedException.class)
        .hasMessageStartingWith("the brokers answered CODE: 16"); // NO_PERMISSION
  }
}
