package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests messages of one call that look like copies, and messages that the broker refuses. One
 * message object that was sent twice has one unique key, whatever was changed in between.
 */
@Timeout(120)
class ReturnedMessagesTest extends WithConsumers {

  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void a_message_that_was_sent_back_equals_its_original() throws Exception {
    createTopic(1);
    Message message = message("order", "order");
    message.setTags("blue");
    message.putUserProperty("tenant", "7");
    send(message);
    List<Optional<ProducedMessage>> delivered = new CopyOnWriteArrayList<>();
    DefaultMQPushConsumer consumer = consumer();
    start(consumer, (messages, context) -> {
      delivered.add(ProducedMessage.of(messages.get(0)));
      return delivered.size() < 3
          ? ConsumeConcurrentlyStatus.RECONSUME_LATER
          : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });

    await().until(() -> delivered.size() == 3);
    assertThat(delivered.get(0)).isPresent();
    assertThat(Set.copyOf(delivered)).hasSize(1);
  }

  @Test
  void copies_of_a_message_in_one_call_are_redelivered_as_one() throws Exception {
    createTopic(1);
    Message copied = message("bad", "bad");
    send(copied);
    send(copied);
    copied.putUserProperty("tenant", "7"); // no copy: it has the same unique key all the same
    send(copied);
    List<Integer> handedOver = new CopyOnWriteArrayList<>();
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = listener(consumer, delivery -> {
      throw new IllegalStateException("no stock");
    });
    start(consumer, (messages, context) -> {
      handedOver.add(messages.size());
      return listener.consumeMessage(messages, context);
    });

    await().until(() -> count(Outcome.DeadLettered.class) == 2);
    assertThat(handedOver).startsWith(3);
    assertThat(handedOver.stream().mapToInt(it -> it).sum()).isLessThanOrEqualTo(3 + 2 + 2 + 1);
    assertThat(read("%DLQ%" + group, 1)).hasSize(1);
  }

  /** Each has an id of its own, and none of them is in the store when it is acknowledged. */
  @Test
  void one_message_object_sent_with_two_ids_takes_effect_twice() throws Exception {
    createTopic(1);
    Message message = message("order", "order");
    message.setBuyerId("1");
    send(message);
    message.setBuyerId("2");
    send(message);
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(2);
    open(RocketMqReceiver.start(
        open(builder(consumer)
            .id(RocketMqIds.property(MessageConst.PROPERTY_BUYER_ID))
            .leased(store, delivery -> {
              if (delivery.attempt() == 1) {
                throw new IllegalStateException("no stock");
              }
              effects.add(delivery.message().getBuyerId());
            })),
        consumer));

    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(effects).containsExactlyInAnyOrder("1", "2"));
  }

  /**
   * As when a client is shut down while its broker does not answer. The client takes a message for
   * gone from its queue if its thread is interrupted when it looks, and acknowledges it.
   */
  @Test
  @SuppressWarnings("deprecation") // it is what the listener calls
  void what_was_interrupted_on_its_way_back_is_not_lost() throws Exception {
    createTopic(1);
    send("bad", "ok");
    DefaultMQPushConsumer consumer = fromBeginning(client(new DefaultMQPushConsumer(group) {
      @Override
      public void sendMessageBack(MessageExt message, int level, String broker)
          throws InterruptedException {
        throw new InterruptedException("shutdownNow");
      }
    }));
    consumer.setConsumeMessageBatchMaxSize(2);
    RocketMqReceiver first = receive(consumer, delivery -> {
      if (body(delivery.message()).equals("bad")) {
        throw new IllegalStateException("no stock");
      }
    });
    await().until(() -> deferred(Outcome.Reason.RETRY) == 1 && isDone("ok"));
    first.close();

    receive(this::record);

    await().atMost(SOON).untilAsserted(() -> assertThat(effects).containsExactly("bad"));
  }

  private static MessageExt produced(Map<String, String> properties) {
    MessageExt message = new MessageExt();
    message.setTopic("orders");
    message.setBody("body".getBytes(StandardCharsets.UTF_8));
    MessageAccessor.putProperty(message, DeadLetterMessage.UNIQ_KEY, "7F000001");
    properties.forEach((name, value) -> MessageAccessor.putProperty(message, name, value));
    return message;
  }

  @Test
  void a_copy_that_was_sent_back_is_the_same_message() {
    assertThat(ProducedMessage.of(produced(Map.of(
            MessageConst.PROPERTY_RECONSUME_TIME, "1",
            MessageConst.PROPERTY_ORIGIN_MESSAGE_ID, "0A",
            MessageConst.PROPERTY_DELAY_TIME_LEVEL, "3"))))
        .isEqualTo(ProducedMessage.of(produced(Map.of())));
  }

  /** A broker changes none of them when a message is sent back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        MessageConst.PROPERTY_CORRELATION_ID,
        MessageConst.PROPERTY_MESSAGE_REPLY_TO_CLIENT,
        MessageConst.PROPERTY_BUYER_ID,
        MessageConst.PROPERTY_INSTANCE_ID
      })
  void what_its_producer_gave_it_makes_it_another(String property) {
    assertThat(ProducedMessage.of(produced(Map.of(property, "1"))))
        .isNotEqualTo(ProducedMessage.of(produced(Map.of(property, "2"))));
  }

  @Test
  void so_does_its_flag() {
    MessageExt flagged = produced(Map.of());
    flagged.setFlag(1);

    assertThat(ProducedMessage.of(flagged)).isNotEqualTo(ProducedMessage.of(produced(Map.of())));
  }
}
