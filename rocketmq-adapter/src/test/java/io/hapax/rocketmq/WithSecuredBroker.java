package io.hapax.rocketmq;

import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.servers.LocalRocketMq;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.body.AclInfo;
import org.apache.rocketmq.remoting.protocol.body.UserInfo;

/**
 * Consumers on one more real broker, which ends with this JVM: it accepts TLS only, and only signed
 * requests.
 */
abstract class WithSecuredBroker extends WithConsumers {

  static final String OPERATOR = "operator";
  static final String SERVICE = "service-user";
  private static final String PASSWORD = "secret-of-a-test";
  private static final int PATIENCE_MILLIS = 20_000;

  static final LocalRocketMq SECURED = LocalRocketMq.secured(OPERATOR, PASSWORD).start();

  static RPCHook signedBy(String user) {
    return new AclClientRPCHook(new SessionCredentials(user, PASSWORD));
  }

  static RPCHook signedWrong() {
    return new AclClientRPCHook(new SessionCredentials(OPERATOR, "not the password"));
  }

  static <C extends ClientConfig> C secured(C client) {
    client(client).setNamesrvAddr(SECURED.nameServer());
    client.setUseTLS(true);
    return client;
  }

  DefaultMQPushConsumer pushed(RPCHook credentials) throws MQClientException {
    DefaultMQPushConsumer consumer = secured(new DefaultMQPushConsumer(group, credentials));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, ALL);
    return consumer;
  }

  DefaultLitePullConsumer pulled(RPCHook credentials) {
    DefaultLitePullConsumer consumer = secured(new DefaultLitePullConsumer(group, credentials));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    return consumer;
  }

  RocketMqReceiver push(RPCHook credentials) throws MQClientException {
    DefaultMQPushConsumer consumer = pushed(credentials);
    return open(
        RocketMqReceiver.start(receiver(RocketMqDeadLetterPublisher.of(consumer)), consumer));
  }

  RocketMqPullReceiver pull(RPCHook credentials) throws MQClientException {
    DefaultLitePullConsumer consumer = pulled(credentials);
    return open(
        RocketMqPullReceiver.builder(receiver(RocketMqDeadLetterPublisher.of(consumer)), consumer)
            .subscribe(topic, ALL)
            .start());
  }

  IdempotentReceiver<MessageExt> receiver(RocketMqDeadLetterPublisher deadLetters) {
    return open(builder(deadLetters).leased(store, this::handle));
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

  void awaitHandled(int done, int dead) {
    await()
        .atMost(BOUND)
        .until(() -> effects.size() == done && count(Outcome.DeadLettered.class) == dead);
  }

  void createSecuredTopic() {
    SECURED.createTopic(topic, 1);
  }

  void sendSecured(String... texts) throws Exception {
    DefaultMQProducer producer =
        secured(new DefaultMQProducer("secured-senders", signedBy(OPERATOR)));
    producer.setSendMsgTimeout(PATIENCE_MILLIS);
    producer.start();
    try {
      for (String text : texts) {
        producer.send(new Message(topic, "", text, text.getBytes(StandardCharsets.UTF_8)));
      }
    } finally {
      producer.shutdown();
    }
  }

  /** The bodies of the group's dead letters, as soon as there are so many. */
  List<String> deadLetters(int count) throws Exception {
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
  static void createUser(String name, Map<String, String> rights) throws Exception {
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
}
