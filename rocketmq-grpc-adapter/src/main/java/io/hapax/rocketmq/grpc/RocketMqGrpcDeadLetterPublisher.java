package io.hapax.rocketmq.grpc;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.apache.rocketmq.client.java.exception.PayloadTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead letters to a topic, through a producer. A record holds the message's body, keys,
 * tag and properties. It adds the properties {@code hapax-consumer}, {@code hapax-id},
 * {@code hapax-attempts}, {@code hapax-kind}, {@code hapax-detail} (the error's class and message),
 * {@code hapax-failed-at}, {@code hapax-in-doubt}, {@code hapax-coordinates}, {@code hapax-topic}
 * and, if it had one, {@code hapax-message-group}.
 *
 * <p>It returns after the broker has acknowledged the record. The topic has to exist, with message
 * type {@code NORMAL}; name it to the producer ({@code setTopics}), which then refuses to start
 * without it. A producer that was built without a topic asks the proxy for it with its first dead
 * letter. If the proxy does not answer within the client's request timeout and three seconds, the
 * client (5.2.0) never sends again. Then every publication fails, health gives the reason, and only
 * a new producer helps.
 *
 * <p>Every message can be published, so that no lane waits for ever:
 *
 * <ul>
 *   <li>One without a body, which a proxy refuses, gets a body of one zero byte; the property
 *       {@code hapax-body-bytes} is 0.
 *   <li>Of one whose body is above the proxy's limit, the first 4096 bytes are published, and
 *       {@code hapax-body-bytes} says how many it has.
 *   <li>Properties of the message are left out if they leave no room for those above, or if a proxy
 *       would refuse them. A proxy accepts 16 KiB and 128 properties. {@code hapax-left-out} names
 *       the missing ones, and {@code hapax-left-out-count} counts them.
 * </ul>
 *
 * <p>Thread-safe. The producer stays open.
 */
public final class RocketMqGrpcDeadLetterPublisher implements DeadLetterPublisher<MessageView> {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqGrpcDeadLetterPublisher.class);

  private final String topic;
  private final Producer producer;
  private final ClientServiceProvider provider = ClientServiceProvider.loadService();

  private RocketMqGrpcDeadLetterPublisher(String topic, Producer producer) {
    this.topic = topic;
    this.producer = producer;
  }

  /**
   * To a topic. It is not looked for here: a producer cannot be asked which topics there are, nor
   * which were named to it. One that is missing, and was not named to the producer, is noticed with
   * the first dead letter; its message is kept, and health says why.
   *
   * @param topic the topic's name
   * @param producer the producer, built with {@code setTopics(topic)}
   * @return a publisher
   */
  public static RocketMqGrpcDeadLetterPublisher to(String topic, Producer producer) {
    if (topic.isBlank()) {
      throw new IllegalArgumentException("topic is blank but must name the dead-letter topic");
    }
    return new RocketMqGrpcDeadLetterPublisher(topic, producer);
  }

  @Override
  public void publish(DeadLetter<MessageView> letter) throws ClientException {
    try {
      send(letter, Integer.MAX_VALUE);
    } catch (ClientException refused) {
      int bytes = letter.message().getBody().remaining();
      if (!isTooLong(refused) || bytes <= DeadLetterMessage.HEAD) {
        throw refused;
      }
      LOG.warn(
          "The dead letter of {} holds the first {} of {} bytes only: {}",
          letter.coordinates(),
          DeadLetterMessage.HEAD,
          bytes,
          refused.getMessage());
      send(letter, DeadLetterMessage.HEAD);
    }
  }

  private void send(DeadLetter<MessageView> letter, int longestBody) throws ClientException {
    try {
      var unused = producer.send(
          DeadLetterMessage.of(letter, longestBody).to(topic, provider.newMessageBuilder()));
    } catch (CancellationException neverAnswered) {
      throw new ClientException(
          "The producer for " + topic + " got no settings for its first session with a proxy, and"
              + " never sends again: start a new one with setTopics(" + topic + "), which requests"
              + " them at its start",
          neverAnswered);
    }
  }

  /** The proxy says it with a class of its own, the client, which knows the limit too, with IO. */
  private static boolean isTooLong(ClientException refused) {
    return refused instanceof PayloadTooLargeException || refused.getCause() instanceof IOException;
  }
}
