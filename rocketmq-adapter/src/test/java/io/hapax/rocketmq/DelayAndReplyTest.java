package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.RequestCallback;
import org.apache.rocketmq.client.utils.MessageUtil;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that come later, and messages that want an answer, on a real broker. */
@Timeout(120)
class DelayAndReplyTest extends WithConsumers {

  private static final int PATIENCE_MILLIS = 60_000;

  private final List<String> replies = new CopyOnWriteArrayList<>();

  private DefaultMQProducer requester() throws Exception {
    DefaultMQProducer requester = client(new DefaultMQProducer("requesters-" + number));
    requester.start();
    open((AutoCloseable) requester::shutdown);
    return requester;
  }

  /**
   * Sends a request and waits for its answer. rocketmq-client 5.3 ends requests of most kinds as
   * soon as they were sent, without their answer, but not this kind.
   */
  private static Message ask(DefaultMQProducer requester, Message question) throws Exception {
    CompletableFuture<Message> answer = new CompletableFuture<>();
    requester.request(
        question,
        (queues, message, none) -> queues.get(0),
        "",
        completing(answer),
        PATIENCE_MILLIS);
    return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static RequestCallback completing(CompletableFuture<Message> answer) {
    return new RequestCallback() {
      @Override
      public void onSuccess(@Nullable Message message) {
        if (message != null) { // rocketmq-client 5.3 also reports that the request was sent
          answer.complete(message);
        }
      }

      @Override
      public void onException(Throwable e) {
        answer.completeExceptionally(e);
      }
    };
  }

  private void reply(MessageExt request, Bytes receipt) throws Exception {
    replies.add(receipt.toString());
    send(MessageUtil.createReplyMessage(request, receipt.toByteArray()));
  }

  @Test
  void a_delay_above_the_retention_makes_a_message_too_old_when_it_arrives() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.start(
        open(builder(consumer)
            .tooOld(TooOldPolicy.DEAD_LETTER)
            .leased(storeThatKeeps(Duration.ofSeconds(4)), this::record)),
        consumer));
    Message message = message("late", "late");
    message.setDelayTimeMs(6_000);
    send(message);

    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(effects).isEmpty();
    assertThat(outcomes).asString().contains("completed messages are remembered for PT4S");
  }

  @Test
  void a_delayed_message_sent_twice_takes_effect_once() throws Exception {
    createTopic(1);
    for (String key : List.of("level", "level", "time", "time")) {
      Message message = message(key, key);
      if (key.equals("level")) {
        message.setDelayTimeLevel(1);
      } else {
        message.setDelayTimeMs(1_500);
      }
      send(message);
    }

    receive(
        delivery -> effects.add(delivery.message().getTopic() + '/' + body(delivery.message())));

    await().until(() -> count(Outcome.class) == 4);
    assertThat(effects).containsExactlyInAnyOrder(topic + "/level", topic + "/time");
    assertThat(count(Outcome.Duplicate.class)).isEqualTo(2);
  }

  @Test
  void a_request_is_answered_once_and_its_duplicate_acknowledged() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    start(consumer, listener(consumer, IdempotentConcurrentListener.handler((messages, context) -> {
      for (MessageExt request : messages) {
        answer(request);
      }
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    })));
    Message request = message("17", "order");

    assertThat(ask(requester(), request).getBody()).asString().isEqualTo("receipt of 17");
    send(message("17", "order"));

    await().until(() -> count(Outcome.Duplicate.class) == 1);
    assertThat(replies).containsExactly("receipt of 17");
  }

  private void answer(MessageExt request) {
    try {
      reply(request, Bytes.utf8("receipt of " + request.getKeys()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_stored_result_answers_a_duplicate_request_without_an_effect() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.start(
        open(builder(consumer).onDuplicate(this::reply).answering(store, this::answered)),
        consumer));
    DefaultMQProducer requester = requester();

    Message first = ask(requester, message("17", "order"));
    Message again = ask(requester, message("17", "order"));

    assertThat(first.getBody()).asString().isEqualTo("receipt 1");
    assertThat(again.getBody()).isEqualTo(first.getBody());
    assertThat(effects).containsExactly("order");
  }

  /** Its sender waits for a reply to the second one; of the first it has given up waiting. */
  @Test
  void a_resent_request_is_answered_after_a_failed_attempt_too() throws Exception {
    createTopic(1);
    DefaultMQProducer requester = requester();
    Message request = message("17", "order");
    List<CompletableFuture<Message>> answers =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    for (CompletableFuture<Message> answer : answers) {
      requester.request(request, completing(answer), PATIENCE_MILLIS);
    }
    assertThat(read(topic, 2)).hasSize(2);
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(2);
    open(RocketMqReceiver.start(
        open(builder(consumer).onDuplicate(this::reply).answering(store, delivery -> {
          if (delivery.attempt() == 1) {
            throw new IllegalStateException("no stock");
          }
          return answered(delivery);
        })),
        consumer));

    for (CompletableFuture<Message> answer : answers) {
      assertThat(answer.get(30, TimeUnit.SECONDS).getBody()).asString().isEqualTo("receipt 1");
    }
    assertThat(effects).containsExactly("order");
  }

  private Bytes answered(Delivery<MessageExt> delivery) throws Exception {
    record(delivery);
    Bytes receipt = Bytes.utf8("receipt " + effects.size());
    reply(delivery.message(), receipt);
    return receipt;
  }
}
