package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.Delivery;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import io.hapax.servers.LocalRocketMq;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.body.AclInfo;
import org.apache.rocketmq.remoting.protocol.body.UserInfo;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connects with the consumer's credentials and TLS, and without them. The broker accepts only TLS
 * and signed requests. It ends with this JVM.
 */
@Timeout(180)
@Order(4) // of the longest, so that it does not begin last
class SecuredBrokerTest extends WithConsumers {

  private static final String OPERATOR = "operator";
  private static final String SERVICE = "service-user";
  private static final String PASSWORD = "secret-of-a-test";
  private static final int PATIENCE_MILLIS = 20_000;

  private static final LocalRocketMq SECURED =
      LocalRocketMq.secured(OPERATOR, PASSWORD).start();

  private static RPCHook signedBy(String user) {
    return new AclClientRPCHook(new SessionCredentials(user, PASSWORD));
  }

  private static RPCHook signedWrong() {
    return new AclClientRPCHook(new SessionCredentials(OPERATOR, "not the password"));
  }

  private static <C extends ClientConfig> C secured(C client) {
    client(client).setNamesrvAddr(SECURED.nameServer());
    client.setUseTLS(true);
    return client;
  }

  private DefaultMQPushConsumer pushed(RPCHook credentials) throws MQClientException {
    return fromBeginning(secured(new DefaultMQPushConsumer(group, credentials)));
  }

  private DefaultLitePullConsumer pulled(RPCHook credentials) {
    return fromBeginning(secured(new DefaultLitePullConsumer(group, credentials)));
  }

  private RocketMqReceiver push(RPCHook credentials) throws MQClientException {
    return receive(pushed(credentials), this::handle);
  }

  private RocketMqPullReceiver pull(RPCHook credentials) throws MQClientException {
    return open(pulling(pulled(credentials), this::handle).subscribe(topic, ALL).start());
  }

  /** Fails for good at what is called poison, and at first at what is called later. */
  private void handle(Delivery<MessageExt> delivery) {
    String body = body(delivery.message());
    if (body.equals("poison")) {
      throw new RejectedMessageException("no such item");
    }
    if (body.equals("later") && delivery.attempt() == 1) {
      throw new IllegalStateException("not yet");
    }
    effects.add(body);
  }

  private void awaitHandled(int done, int dead) {
    await().until(() -> effects.size() == done && count(Outcome.DeadLettered.class) == dead);
  }

  private void createSecuredTopic() {
    SECURED.createTopic(topic, 1);
  }

  private void sendSecured(String... texts) throws Exception {
    sendBy(
        secured(new DefaultMQProducer("secured-senders", signedBy(OPERATOR))),
        Stream.of(texts).map(text -> message(text, text)).toArray(Message[]::new));
  }

  /** Returns the bodies of the group's dead letters once there are {@code count} of them. */
  private List<String> deadLetters(int count) throws Exception {
    return read(
            secured(new DefaultLitePullConsumer("nobody", signedBy(OPERATOR))),
            "%DLQ%" + group,
            count)
        .stream()
        .map(WithConsumers::body)
        .toList();
  }

  /**
   * Makes a user who may do this and no more: actions by resource, {@code Topic:} or
   * {@code Group:}.
   */
  private static void createUser(String name, Map<String, String> rights) throws Exception {
    DefaultLitePullConsumer operator =
        secured(new DefaultLitePullConsumer("operators", signedBy(OPERATOR)));
    operator.start();
    try {
      var api = new ClientInternals(operator).api();
      String broker = SECURED.broker();
      api.createUser(broker, UserInfo.of(name, PASSWORD, "Normal"), PATIENCE_MILLIS);
      for (Map.Entry<String, String> right : rights.entrySet()) {
        api.createAcl(
            broker,
            AclInfo.of(
                "User:" + name, List.of(right.getKey()), List.of(right.getValue()), null, "Allow"),
            PATIENCE_MILLIS);
      }
    } finally {
      operator.shutdown();
    }
  }

  @ParameterizedTest(name = "pulls {0}")
  @ValueSource(booleans = {false, true})
  void a_receiver_takes_retries_and_dead_letters_as_its_consumer_may(boolean pulls)
      throws Exception {
    createSecuredTopic();
    sendSecured("fine", "later", "poison");

    Supplier<List<Problem>> problems =
        pulls ? pull(signedBy(OPERATOR))::problems : push(signedBy(OPERATOR))::problems;

    awaitHandled(2, 1);
    assertThat(effects).containsExactlyInAnyOrder("fine", "later");
    assertThat(deadLetters(1)).containsExactly("poison");
    assertThat(problems.get()).isEmpty();
  }

  @Test
  void so_does_a_wrapped_listener() throws Exception {
    createSecuredTopic();
    sendSecured("fine", "poison");
    DefaultMQPushConsumer consumer = pushed(signedBy(OPERATOR));
    var listener = open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
      if (body(messages.get(0)).equals("poison")) {
        throw new RejectedMessageException("no such item");
      }
      effects.add(body(messages.get(0)));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    }));
    start(consumer, listener);

    await()
        .until(() -> isDone("fine")
            && found("poison").filter(it -> it.state() == MarkState.DEAD).isPresent());
    assertThat(effects).containsExactly("fine");
    assertThat(deadLetters(1)).containsExactly("poison");
    assertThat(listener.problems()).isEmpty();
  }

  /** To take from its topic as its group, and to write to a dead-letter topic that is there. */
  @Test
  void a_user_needs_only_rights_to_consume_and_write_dead_letters() throws Exception {
    createSecuredTopic();
    createUser(
        SERVICE,
        Map.of("Topic:" + topic, "Sub", "Group:" + group, "Sub", "Topic:%DLQ%" + group, "Pub"));
    assertThatThrownBy(() -> push(signedBy(SERVICE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not exist and cannot be created");
    SECURED.createTopic("%DLQ%" + group, 1);
    sendSecured("fine", "later", "poison");

    try (RocketMqReceiver receiver = push(signedBy(SERVICE))) {
      awaitHandled(2, 1);
      assertThat(receiver.problems()).isEmpty();
    }
    sendSecured("pulled");
    RocketMqPullReceiver receiver = pull(signedBy(SERVICE));

    await().until(() -> effects.contains("pulled"));
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void with_a_wrong_password_the_start_says_so_and_nothing_is_lost() throws Exception {
    createSecuredTopic();
    SECURED.createTopic("%DLQ%" + group, 1);
    sendSecured("fine");

    for (ThrowingCallable start :
        List.<ThrowingCallable>of(() -> push(signedWrong()), () -> pull(signedWrong()))) {
      assertThatThrownBy(start)
          .isInstanceOf(MQClientException.class)
          .hasMessageContaining("broker " + SECURED.broker() + " refuses group " + group + ": ")
          .hasRootCauseInstanceOf(MQBrokerException.class);
    }

    push(signedBy(OPERATOR));
    await().until(() -> count(Outcome.class) == 1);
    assertThat(effects).containsExactly("fine");
  }

  @Test
  void without_tls_the_start_reports_that_the_broker_does_not_answer() throws Exception {
    createSecuredTopic();
    DefaultMQPushConsumer consumer = pushed(signedBy(OPERATOR));
    consumer.setUseTLS(false);

    assertThatThrownBy(() -> receive(consumer, this::record))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("not answer");

    assertThat(ClientInternals.isRunning(consumer)).isFalse();
  }
}
