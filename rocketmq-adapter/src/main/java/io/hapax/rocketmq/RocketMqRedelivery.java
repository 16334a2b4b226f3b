package io.hapax.rocketmq;

import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.audit.AuditFailedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.mark.Bytes;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveResult.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;

/**
 * Has the message of a stale mark delivered again, on an operator's decision. An operator skipped
 * the message by hand, or a dead consumer left its mark behind for good.
 *
 * <p>The message is fetched from the place that its mark names, and sent again to the topic that it
 * was first sent to. It keeps its body, keys, tags, properties and {@code UNIQ_KEY}. It also goes
 * to its queue, unless it lay in the group's retry topic. All groups of that topic get it, and
 * those without a business id and a store run it again. The consumer that receives it takes the
 * mark over. A request has lost its sender.
 *
 * <p>No mark is changed here, and a message that is delivered twice takes effect once, so a
 * redelivery may be repeated. It is refused while a consumer holds the mark, and if the message is
 * gone or another message lies there.
 *
 * <p>{@link #deadLetter} publishes the message to a dead-letter topic instead, and changes the
 * mark.
 *
 * <p>For one thread.
 */
public final class RocketMqRedelivery implements Redelivery {

  private static final Pattern COORDINATES = Pattern.compile("(.+)@(\\d{1,18})");

  private final MarkOperations marks;
  private final IdExtractor<MessageExt> ids;
  private final BrokerView brokers;

  private RocketMqRedelivery(
      MarkOperations marks, IdExtractor<MessageExt> ids, BrokerView brokers) {
    this.marks = marks;
    this.ids = ids;
    this.brokers = brokers;
  }

  /**
   * Connects.
   *
   * @param marks the consumer's marks
   * @param ids how the consumer's receiver finds a message's id
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @return a redelivery, to be closed by the caller
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqRedelivery of(
      MarkOperations marks, IdExtractor<MessageExt> ids, ClientConfig like) {
    return connect(marks, ids, like, null);
  }

  /**
   * Connects with credentials.
   *
   * @param marks the consumer's marks
   * @param ids how the consumer's receiver finds a message's id
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @param credentials the hook that signs requests
   * @return a redelivery, to be closed by the caller
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqRedelivery of(
      MarkOperations marks, IdExtractor<MessageExt> ids, ClientConfig like, RPCHook credentials) {
    return connect(marks, ids, like, credentials);
  }

  private static RocketMqRedelivery connect(
      MarkOperations marks,
      IdExtractor<MessageExt> ids,
      ClientConfig like,
      @Nullable RPCHook credentials) {
    return new RocketMqRedelivery(marks, ids, BrokerView.open(like, credentials));
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return marks.redeliver(id, (coordinates, bytes) -> found(coordinates, bytes, this::reachable));
  }

  @Override
  public RedriveResult execute(String id) throws InterruptedException {
    return marks.redeliver(
        id,
        (coordinates, bytes) -> found(coordinates, bytes, message -> again(message, coordinates)));
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    if (!brokers.knows(topic)) {
      throw new IllegalArgumentException(
          "dead-letter topic '" + topic + "' cannot be used: create it first");
    }
    return marks.redeliver(
        id,
        (coordinates, bytes) -> found(
            coordinates,
            bytes,
            message -> RocketMqIds.realTopic(message).equals(topic)
                ? new Refused(topic + " is the topic of the message, not a dead-letter topic")
                : marks.deadLetter(
                    id, coordinates, message, letter -> publish(letter, topic, coordinates))));
  }

  /** Publishes the whole message, or its head if a broker takes no message of that length. */
  private void publish(DeadLetter<MessageExt> letter, String topic, String coordinates)
      throws InterruptedException {
    try {
      brokers.send(DeadLetterMessage.of(letter, topic), coordinates);
    } catch (AuditFailedException e) {
      boolean tooLong = e.getCause() instanceof MQBrokerException refused
          && refused.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL;
      if (!tooLong) {
        throw e;
      }
      brokers.send(DeadLetterMessage.withHeadOnly(letter, topic), coordinates);
    }
  }

  /** Uses a message that was found at its place. */
  private interface Use {
    RedriveResult of(MessageExt message) throws InterruptedException;
  }

  private RedriveResult found(String coordinates, Bytes id, Use use) throws InterruptedException {
    Matcher place = COORDINATES.matcher(coordinates);
    if (!place.matches()) {
      return new Refused("its mark names " + coordinates + ", which is not the place of a message");
    }
    Optional<MessageExt> message = fetch(place.group(1), Long.parseLong(place.group(2)));
    if (message.isEmpty()) {
      return new Refused("there is no message at " + coordinates + " any more");
    }
    Optional<String> other = MarkOperations.otherMessage(id, coordinates, message.get(), ids);
    if (other.isPresent()) {
      return new Refused(other.get());
    }
    return use.of(message.get());
  }

  private RedriveResult reachable(MessageExt message) throws InterruptedException {
    String topic = RevivedMessage.again(message).getTopic();
    return brokers.knows(topic)
        ? new RedriveResult.Published()
        : new Refused("its topic " + topic + " does not exist any more");
  }

  private RedriveResult again(MessageExt message, String coordinates) throws InterruptedException {
    RedriveResult answer = reachable(message);
    if (answer instanceof RedriveResult.Published) {
      brokers.send(RevivedMessage.again(message), coordinates);
    }
    return answer;
  }

  /** Empty if there is no such queue, or it does not hold that message any more. */
  private Optional<MessageExt> fetch(String place, long offset) throws InterruptedException {
    List<MessageExt> found = new ArrayList<>();
    for (String topic : topics(place)) {
      for (QueueRange queue :
          brokers.ranges(TopicPart.all(topic), StartingPoint.beginning()).values()) {
        boolean holds = queue.range().from() <= offset && offset < queue.range().to();
        if (holds && queue.range().place().equals(brokers.wireName(place))) {
          Optional.ofNullable(brokers.pull(queue.queue(), offset).getMsgFoundList()).stream()
              .flatMap(List::stream)
              .filter(it -> it.getQueueOffset() == offset)
              .forEach(found::add);
        }
      }
    }
    return found.stream().findFirst();
  }

  /**
   * Topics that the place may be in: their names, and those of brokers, may hold what parts them.
   */
  private List<String> topics(String place) throws InterruptedException {
    List<String> topics = new ArrayList<>();
    for (int end = place.indexOf('-'); end > 0; end = place.indexOf('-', end + 1)) {
      String topic = place.substring(0, end);
      if (brokers.knows(topic)) {
        topics.add(topic);
      }
    }
    return topics;
  }

  /** Closes the connection. The store stays open. */
  @Override
  public void close() {
    brokers.close();
  }
}
