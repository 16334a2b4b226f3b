package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.Delivery;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Messages that were sent back once and are forwarded to a second topic of the same group. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_ERR)
class ForwardedMessageTest extends WithConsumers {

  private final String second = topic + "-second";
  private final String warning = "Messages of topic " + second + " carry RETRY_TOPIC " + topic;

  /** A message of the first topic fails once, and is forwarded when it is redelivered. */
  private void receiveBoth(MessageHandler<MessageExt> inTheSecond) throws Exception {
    createTopic(1);
    createTopic(second, 1);
    DefaultMQPushConsumer consumer = consumer();
    consumer.subscribe(second, ALL);
    receive(consumer, delivery -> {
      if (delivery.message().getTopic().equals(second)) {
        inTheSecond.handle(delivery);
      } else if (delivery.attempt() == 1) {
        throw new IllegalStateException("not yet");
      } else {
        forward(delivery);
      }
    });
  }

  private void forward(Delivery<MessageExt> delivery) throws Exception {
    Message copy = new Message(second, delivery.message().getBody());
    MessageAccessor.setProperties(copy, delivery.message().getProperties());
    send(copy);
  }

  @Test
  void such_messages_are_warned_of_once_for_their_topics_and_no_others() throws Exception {
    String log = Log.of(() -> {
      receiveBoth(this::record);
      send("a", "b");
      await().until(() -> effects.size() == 2);
    });

    assertThat(log).containsOnlyOnce(warning).containsOnlyOnce("RETRY_TOPIC");
  }

  /** Why it is warned of. */
  @Test
  void a_forwarded_message_that_fails_returns_as_that_of_its_old_topic() throws Exception {
    String log = Log.of(() -> {
      receiveBoth(delivery -> {
        throw new IllegalStateException("not here either");
      });
      send("a");
      await().until(() -> count(Outcome.Duplicate.class) == 1);
    });

    assertThat(log).containsOnlyOnce(warning);
    assertThat(isDone("a")).isTrue();
    assertThat(count(Outcome.DeadLettered.class)).isZero();
  }

  @Test
  void no_more_pairs_are_remembered_than_a_hundred() throws Exception {
    ForwardedMessages forwarded = new ForwardedMessages(() -> group);
    List<MessageExt> messages =
        IntStream.range(0, 1_000).mapToObj(this::forgedFrom).toList();

    String log = Log.of(() -> {
      forwarded.look(messages, queue());
      forwarded.look(messages, queue());
    });

    assertThat(log.lines().filter(line -> line.contains("carry RETRY_TOPIC forged-")))
        .hasSize(ForwardedMessages.MOST);
  }

  @Test
  void what_comes_from_its_own_topic_or_from_a_retry_topic_is_no_such_message() throws Exception {
    ForwardedMessages forwarded = new ForwardedMessages(() -> group);
    MessageExt message = forgedFrom(1);

    String log = Log.of(() -> {
      forwarded.look(List.of(message), new MessageQueue("forged-1", "local", 0));
      forwarded.look(List.of(message), new MessageQueue("%RETRY%" + group, "local", 0));
      forwarded.look(List.of(delivered("a")), queue());
    });

    assertThat(log).doesNotContain("RETRY_TOPIC");
  }

  private MessageExt forgedFrom(int number) {
    MessageExt message = delivered("a");
    MessageAccessor.setProperties(
        message, Map.of(MessageConst.PROPERTY_RETRY_TOPIC, "forged-" + number));
    return message;
  }
}
