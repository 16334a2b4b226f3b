package io.hapax.rocketmq;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * Publishes dead letters to the group's own dead-letter topic, {@code %DLQ%group}, or to another
 * one: the message's body, key, tags and properties, and what is known of its end in the properties
 * {@code hapax-id}, {@code hapax-attempts}, {@code hapax-kind}, {@code hapax-detail},
 * {@code hapax-in-doubt}, {@code hapax-coordinates} and {@code hapax-topic}.
 *
 * <p>It sends through the consumer's own connection, with its credentials, and returns after the
 * broker has stored the record; the client's own way to the dead-letter topic is not used because
 * it answers success for a message that it has put back into the retry topic. A topic that does not
 * exist is created, with one queue on each broker, if the consumer's user may do that.
 *
 * <p>Thread-safe. Nothing to close.
 */
public final class RocketMqDeadLetterPublisher implements DeadLetterPublisher<MessageExt> {

  /** Longer texts are cut: properties share 32 KiB. */
  private static final int LONGEST = 1_000;

  private final DefaultMQPushConsumer consumer;
  private final ClientInside inside;
  private final String topic;
  private volatile boolean ready;

  private RocketMqDeadLetterPublisher(DefaultMQPushConsumer consumer, String topic) {
    this.consumer = consumer;
    this.inside = new ClientInside(consumer);
    this.topic = topic;
  }

  /**
   * To {@code %DLQ%} and the name of the consumer's group, where RocketMQ's own tools look.
   *
   * @param consumer the consumer; it must be started before a message is published
   * @return a publisher
   */
  public static RocketMqDeadLetterPublisher of(DefaultMQPushConsumer consumer) {
    return new RocketMqDeadLetterPublisher(consumer, "");
  }

  /**
   * To a topic.
   *
   * @param topic the topic's name
   * @param consumer the consumer; it must be started before a message is published
   * @return a publisher
   */
  public static RocketMqDeadLetterPublisher to(String topic, DefaultMQPushConsumer consumer) {
    if (topic.isBlank()) {
      throw new IllegalArgumentException("topic is blank but must name the dead-letter topic");
    }
    return new RocketMqDeadLetterPublisher(consumer, topic);
  }

  /** The name of a group gets its namespace only when the consumer starts. */
  private String target() {
    return topic.isEmpty() ? ClientInside.DEAD_LETTER_PREFIX + consumer.getConsumerGroup() : topic;
  }

  /**
   * Makes sure that the topic exists.
   *
   * @throws IllegalStateException if it does not and cannot be created
   */
  void prepare() throws RemotingException, InterruptedException, MQClientException {
    if (ready) {
      return;
    }
    String name = inside.wireName(target());
    if (!inside.knows(name)) {
      try {
        inside.createTopic(name);
      } catch (MQBrokerException | MQClientException e) {
        throw new IllegalStateException(
            "dead-letter topic '" + name + "' does not exist and cannot be created: create it", e);
      }
    }
    ready = true;
  }

  @Override
  public void publish(DeadLetter<MessageExt> letter)
      throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
    prepare();
    SendResult result = inside.producer().send(message(letter), ClientInside.TIMEOUT_MILLIS);
    if (result.getSendStatus() != SendStatus.SEND_OK) {
      throw new IllegalStateException("the broker answered " + result.getSendStatus()
          + " to the dead letter of " + letter.coordinates());
    }
  }

  private Message message(DeadLetter<MessageExt> letter) {
    MessageExt dead = letter.message();
    Message message = new Message(target(), dead.getBody());
    message.setFlag(dead.getFlag());
    dead.getProperties().forEach((name, value) -> {
      if (!MessageConst.STRING_HASH_SET.contains(name)) {
        message.putUserProperty(name, value);
      }
    });
    if (dead.getTags() != null) {
      message.setTags(dead.getTags());
    }
    if (dead.getKeys() != null) {
      message.setKeys(dead.getKeys());
    }
    Map.of(
            "hapax-id", letter.messageId(),
            "hapax-attempts", Integer.toString(letter.attempts()),
            "hapax-kind", letter.kind().name(),
            "hapax-detail", letter.detail(),
            "hapax-in-doubt", Boolean.toString(letter.inDoubt()),
            "hapax-coordinates", letter.coordinates(),
            "hapax-topic", RocketMqIds.realTopic(dead))
        .forEach((name, value) -> put(message, name, value));
    return message;
  }

  /** A property must not be blank, nor hold the two characters that part properties. */
  private static void put(Message message, String name, String value) {
    String harmless = value.replace('\u0001', ' ').replace('\u0002', ' ').strip();
    if (!harmless.isEmpty()) {
      message.putUserProperty(name, harmless.substring(0, Math.min(LONGEST, harmless.length())));
    }
  }
}
