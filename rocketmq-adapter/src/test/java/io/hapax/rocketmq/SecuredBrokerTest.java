package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With credentials and TLS, as the user has given them to his consumer, and without. */
@Timeout(180)
@Order(4) // of the longest, so that it does not begin last
class SecuredBrokerTest extends WithSecuredBroker {

  @Test
  void a_receiver_takes_retries_and_dead_letters_as_its_consumer_may() throws Exception {
    createSecuredTopic();
    sendSecured("fine", "later", "poison");

    RocketMqReceiver receiver = push(signedBy(OPERATOR));

    awaitHandled(2, 1);
    assertThat(effects).containsExactlyInAnyOrder("fine", "later");
    assertThat(deadLetters(1)).containsExactly("poison");
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void so_does_one_that_pulls() throws Exception {
    createSecuredTopic();
    sendSecured("fine", "later", "poison");

    RocketMqPullReceiver receiver = pull(signedBy(OPERATOR));

    awaitHandled(2, 1);
    assertThat(effects).containsExactly("fine", "later");
    assertThat(deadLetters(1)).containsExactly("poison");
    assertThat(receiver.problems()).isEmpty();
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
    consumer.registerMessageListener(listener);
    start(consumer);

    await().atMost(BOUND).until(() -> isDead("poison") && isDone("fine"));
    assertThat(effects).containsExactly("fine");
    assertThat(deadLetters(1)).containsExactly("poison");
    assertThat(listener.problems()).isEmpty();
  }

  private boolean isDead(String key) {
    return store
        .find(List.of(MessageKey.of(group, topic + '/' + key)))
        .get(0)
        .filter(mark -> mark.state() == MarkState.DEAD)
        .isPresent();
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

    await().atMost(BOUND).until(() -> effects.contains("pulled"));
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void with_a_wrong_password_the_start_says_so_and_nothing_is_lost() throws Exception {
    createSecuredTopic();
    SECURED.createTopic("%DLQ%" + group, 1);
    sendSecured("fine");

    assertThatThrownBy(() -> push(signedWrong()))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("broker " + SECURED.broker() + " refuses group " + group + ": ")
        .hasRootCauseInstanceOf(MQBrokerException.class);
    assertThatThrownBy(() -> pull(signedWrong()))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("broker " + SECURED.broker() + " refuses group " + group + ": ")
        .hasRootCauseInstanceOf(MQBrokerException.class);

    push(signedBy(OPERATOR));
    await().atMost(BOUND).until(() -> count(Outcome.class) == 1);
    assertThat(effects).containsExactly("fine");
  }

  @Test
  void without_tls_the_start_reports_that_the_broker_does_not_answer() throws Exception {
    createSecuredTopic();
    DefaultMQPushConsumer consumer = pushed(signedBy(OPERATOR));
    consumer.setUseTLS(false);
    IdempotentReceiver<MessageExt> receiver = receiver(RocketMqDeadLetterPublisher.of(consumer));

    assertThatThrownBy(() -> RocketMqReceiver.start(receiver, consumer))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("not answer");

    assertThat(ClientInternals.isRunning(consumer)).isFalse();
  }
}
