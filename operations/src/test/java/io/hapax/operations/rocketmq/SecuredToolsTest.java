package io.hapax.operations.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.OperationsFixture;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.replay.ReplayPlan;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.servers.LocalRocketMq;
import java.util.Optional;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.remoting.RPCHook;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A broker that speaks TLS only, and obeys only clients that sign. */
class SecuredToolsTest extends OperationsFixture {

  private static final String OPERATOR = "operator";
  private static final String PASSWORD = "secret-of-a-test";
  private static final RocketMqTestBroker SECURED = new RocketMqTestBroker(
      LocalRocketMq.secured(OPERATOR, PASSWORD).start(), Optional.of(signedBy(PASSWORD)));

  private final TopicPart all = TopicPart.all(topic);
  private final StartingPoint beginning = StartingPoint.beginning();

  SecuredToolsTest() {
    super(SECURED);
  }

  private static RPCHook signedBy(String password) {
    return new AclClientRPCHook(new SessionCredentials(OPERATOR, password));
  }

  private RocketMqOperations unsigned() {
    return RocketMqOperations.of(RocketMqTestBroker.SETTINGS, SECURED.client(new ClientConfig()));
  }

  @Test
  void each_operation_signs_its_requests() throws Exception {
    String group = SECURED.group();
    broker.send(topic, 0, "a");
    broker.commit(group, topic, 0, 1);
    var replay = open(broker.operations().replay(group));
    ReplayPlan plan = replay.plan(all, beginning);
    assertThat(
            broker.operations().audit(store, AuditProgress.NONE).runAgain(plan).messages())
        .isEqualTo(1);
    replay.execute(plan);
    assertThat(broker.committed(group, topic, 0)).isZero();

    String letters = SECURED.topic(1);
    bury(letters, new Sent("poison"), 1);
    vanishedWith("a", first(0));
    var redriver = redriver();
    assertThat(redriver.redeliver("a")).isEqualTo(new Published());
    assertThat(redrive(redriver, letters, RedriveSettings.to(topic)).published())
        .isEqualTo(1);
  }

  @Test
  void with_a_wrong_password_each_says_so() throws Exception {
    RocketMqOperations wrong = unsigned().withCredentials(signedBy("not the password"));
    broker.send(topic, 0, "a");
    vanishedWith("a", first(0));
    var redriver = open(wrong.redriver(store));

    refused(() -> wrong.audit(store, AuditProgress.NONE).run(all, beginning));
    refused(() -> unsigned().audit(store, AuditProgress.NONE).run(all, beginning));
    refused(() -> open(wrong.replay("billing")).plan(all, beginning));
    refused(() ->
        redriver.redrive(all, beginning, DeadLetterSelection.all(), RedriveSettings.to(topic)));
    refused(() -> redriver.redeliver("a"));
  }

  private static void refused(ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOf(AuditFailedException.class)
        .hasMessageStartingWith("the brokers answered CODE: 16"); // NO_PERMISSION
  }
}
