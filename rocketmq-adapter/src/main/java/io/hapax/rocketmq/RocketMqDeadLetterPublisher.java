package io.hapax.rocketmq;

import io.hapax.DeadLetter;
import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead letters to the group's own dead-letter topic, {@code %DLQ%group}, or to another
 * one. A record holds the message's body, key, tags and properties. It adds the properties
 * {@code hapax-consumer}, {@code hapax-id}, {@code hapax-attempts}, {@code hapax-kind},
 * {@code hapax-detail}, {@code hapax-failed-at}, {@code hapax-in-doubt}, {@code hapax-coordinates},
 * {@code hapax-topic} and {@code hapax-unique-key} (the message's {@code UNIQ_KEY}; the record has
 * another one).
 *
 * <p>Every message can be published, so that no queue waits for ever:
 *
 * <ul>
 *   <li>One without a body, which this client does not send, gets a body of one zero byte; the
 *       property {@code hapax-body-bytes} is 0.
 *   <li>Of one whose body is above the limit of the dead-letter topic's broker
 *       ({@code maxMessageSize}), the first 4096 bytes are published, and {@code hapax-body-bytes}
 *       says how many it has. The limit of the client does not count.
 *   <li>Where the message's properties leave no room for those above (all of them share 32 KiB),
 *       the longest are left out, {@code hapax-left-out} names them, and
 *       {@code hapax-left-out-count} counts them.
 * </ul>
 *
 * <p>The missing parts remain at the place that {@code hapax-coordinates} names, as long as the
 * broker keeps the message. A record always names the parts that were cut, also if a dead-letter
 * record is consumed and dead-lettered again.
 *
 * <p>It sends through the consumer's own connection, with its credentials, and returns after the
 * broker has stored the record. It does not use the client's own way to the dead-letter topic,
 * because that answers success for a message that it has put back into the retry topic. A topic
 * that does not exist is created, with one queue on each broker, if the consumer's user may do
 * that.
 *
 * <p>Thread-safe. Nothing to close.
 */
public final class RocketMqDeadLetterPublisher implements DeadLetterPublisher<MessageExt> {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqDeadLetterPublisher.class);

  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

  private final ClientInternals internals;

  /** The name of the topic; the group's own if it is empty. */
  private final String topic;

  private final AtomicLong nextCheckNanos = new AtomicLong(System.nanoTime());
  private volatile boolean ready;
  private volatile Optional<String> missing = Optional.empty();

  private RocketMqDeadLetterPublisher(ClientInternals internals, String topic) {
    this.internals = internals;
    this.topic = topic;
  }

  /**
   * {@return a publisher to {@code %DLQ%} and the name of the consumer's group, where RocketMQ's
   * own tools look}
   *
   * @param consumer the consumer; it must be started before a message is published
   */
  public static RocketMqDeadLetterPublisher of(DefaultMQPushConsumer consumer) {
    return new RocketMqDeadLetterPublisher(new ClientInternals(consumer), "");
  }

  /**
   * {@return a publisher to a topic}
   *
   * @param topic the topic's name
   * @param consumer the consumer; it must be started before a message is published
   */
  public static RocketMqDeadLetterPublisher to(String topic, DefaultMQPushConsumer consumer) {
    return new RocketMqDeadLetterPublisher(new ClientInternals(consumer), named(topic));
  }

  /**
   * {@return a publisher to {@code %DLQ%} and the name of the consumer's group}
   *
   * @param consumer the consumer of a {@link RocketMqPullReceiver}; it must be started before a
   *     message is published
   */
  public static RocketMqDeadLetterPublisher of(DefaultLitePullConsumer consumer) {
    return new RocketMqDeadLetterPublisher(new ClientInternals(consumer), "");
  }

  /**
   * {@return a publisher to a topic}
   *
   * @param topic the topic's name
   * @param consumer the consumer of a {@link RocketMqPullReceiver}; it must be started before a
   *     message is published
   */
  public static RocketMqDeadLetterPublisher to(String topic, DefaultLitePullConsumer consumer) {
    return new RocketMqDeadLetterPublisher(new ClientInternals(consumer), named(topic));
  }

  private static String named(String topic) {
    if (topic.isBlank()) {
      throw new IllegalArgumentException("topic is blank but must name the dead-letter topic");
    }
    return topic;
  }

  static Optional<RocketMqDeadLetterPublisher> of(IdempotentReceiver<MessageExt> receiver) {
    return receiver
        .deadLetters()
        .filter(RocketMqDeadLetterPublisher.class::isInstance)
        .map(RocketMqDeadLetterPublisher.class::cast);
  }

  /** Takes the publisher of the start, else that of the receiver if its consumer was started. */
  static void prepare(
      Optional<RocketMqDeadLetterPublisher> given, IdempotentReceiver<MessageExt> receiver)
      throws RemotingException, InterruptedException, MQClientException {
    Optional<RocketMqDeadLetterPublisher> letters =
        given.or(() -> of(receiver).filter(it -> it.internals.isStarted()));
    if (letters.isPresent()) {
      letters.get().prepare();
    }
  }

  private String name() {
    return topic.isEmpty() ? ClientInternals.DEAD_LETTER_PREFIX + internals.group() : topic;
  }

  /** Does nothing while no broker is known on which the topic could be created. */
  private void prepare() throws RemotingException, InterruptedException, MQClientException {
    if (ready) {
      return;
    }
    internals.producer().setMaxMessageSize(Integer.MAX_VALUE); // the broker's limit counts
    String name = internals.wireName(name());
    if (!internals.knows(name)) {
      if (internals.masters().isEmpty()) {
        return;
      }
      create(name);
    }
    ready = true;
    missing = Optional.empty();
  }

  private void create(String name) throws RemotingException, InterruptedException {
    try {
      internals.createTopic(name);
    } catch (MQBrokerException | MQClientException e) {
      String reason =
          "dead-letter topic '" + name + "' does not exist and cannot be created: create it";
      missing = Optional.of(reason);
      throw new IllegalStateException(reason, e);
    }
  }

  /** A failure to create the topic is logged before a message needs it. */
  void prepareIfDue() throws InterruptedException {
    long now = System.nanoTime();
    long due = nextCheckNanos.get();
    if (ready
        || !internals.isStarted()
        || now - due < 0
        || !nextCheckNanos.compareAndSet(due, now + CHECK_INTERVAL.toNanos())) {
      return;
    }
    try {
      prepare();
    } catch (RemotingException | MQClientException | IllegalStateException e) {
      LOG.warn("The dead-letter topic could not be prepared; failed messages wait", e);
    }
  }

  Optional<Problems.Found> problem() {
    return missing.map(text -> new Problems.Found(Problem.Kind.DEAD_LETTERS, name(), text));
  }

  @Override
  public void publish(DeadLetter<MessageExt> letter)
      throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
    requireAnotherTopic(RocketMqIds.realTopic(letter.message()));
    prepare();
    SendResult result = send(letter);
    if (result.getSendStatus() != SendStatus.SEND_OK) {
      throw new IllegalStateException("the broker answered " + result.getSendStatus()
          + " to the dead letter of " + letter.coordinates());
    }
  }

  /** A consumer would get its own dead letters, and could dead-letter each of them again. */
  private void requireAnotherTopic(String source) {
    if (internals.wireName(source).equals(internals.wireName(name()))) {
      throw new IllegalStateException("the dead-letter topic of a message of " + source
          + " is that topic itself but must be another topic");
    }
  }

  /** The whole message, or its head if a broker takes no message of that length. */
  private SendResult send(DeadLetter<MessageExt> letter)
      throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
    try {
      return send(DeadLetterMessage.of(letter, name()));
    } catch (MQBrokerException refused) {
      byte[] body = letter.message().getBody();
      if (refused.getResponseCode() != ResponseCode.MESSAGE_ILLEGAL
          || body == null
          || body.length <= DeadLetterMessage.HEAD) {
        throw refused;
      }
      LOG.warn(
          "The dead letter of {} holds the first {} of {} bytes only: {}",
          letter.coordinates(),
          DeadLetterMessage.HEAD,
          body.length,
          refused.getErrorMessage());
      return send(DeadLetterMessage.withHeadOnly(letter, name()));
    }
  }

  private SendResult send(Message message)
      throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
    return internals.producer().send(message, ClientInternals.TIMEOUT_MILLIS);
  }
}
