package io.hapax.rocketmq.grpc;

import io.hapax.IdExtractor;
import io.hapax.json.JsonPointerId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where messages of RocketMQ's gRPC client carry their business message id. Any lambda serves as
 * well; several are joined by {@link IdExtractor#firstOf} and {@link IdExtractor#composed}:
 *
 * <pre>{@code
 * IdExtractor.composed(List.of(RocketMqGrpcIds.property("tenant"), RocketMqGrpcIds.key()))
 * }</pre>
 *
 * <p>A message has the same {@link #standard()} id here as in {@code rocketmq-adapter}, so a group
 * may go from one client to the other and keep its marks.
 */
public final class RocketMqGrpcIds {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqGrpcIds.class);
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private RocketMqGrpcIds() {}

  /**
   * Extracts what fits most topics: the message's single key, else its message id, within its topic
   * and tag. The same order number in two topics is two messages, and so is the same order number
   * with two tags: {@code orders/17}, {@code orders:PAID/17}.
   *
   * @return an extractor that never answers empty
   */
  public static IdExtractor<MessageView> standard() {
    return IdExtractor.within(
        RocketMqGrpcIds::topicAndTag, IdExtractor.firstOf(List.of(key(), messageId())));
  }

  /** Joins topic and tag. A topic has no colon, and a slash in the tag is escaped. */
  private static String topicAndTag(MessageView message) {
    return message
        .getTag()
        .filter(tag -> !tag.isEmpty())
        .map(tag -> message.getTopic() + ':' + tag.replace("%", "%25").replace("/", "%2F"))
        .orElseGet(message::getTopic);
  }

  /**
   * A property that the producer set.
   *
   * @param name the property's name
   * @return an extractor that answers empty where the property is missing or empty
   */
  public static IdExtractor<MessageView> property(String name) {
    return message -> IdExtractor.ofValue(message.getProperties().get(name));
  }

  /**
   * The message's key, if it has exactly one. Only right where each message of a key is another
   * fact than all others, for example a key of order numbers in a topic of new orders. RocketMQ
   * separates keys by blanks, so a key with a blank counts as two.
   *
   * @return an extractor that answers empty where there is no key, or more than one
   */
  public static IdExtractor<MessageView> key() {
    return message -> { // a proxy splits the text of the broker at each space
      String keys = String.join(" ", message.getKeys()).strip();
      return keys.contains(" ") ? Optional.empty() : IdExtractor.ofValue(keys);
    };
  }

  /**
   * The message id, which the producer's client gives to each message. It survives the broker's
   * redeliveries and a replay. It does not survive a resend by the application, which runs again.
   * The log warns once for each topic whose messages have nothing better.
   *
   * @return an extractor that never answers empty
   */
  public static IdExtractor<MessageView> messageId() {
    return message -> {
      if (WARNED.add(message.getTopic())) {
        LOG.warn(
            "The id of messages of topic {} is RocketMQ's message id: if their producer sends one"
                + " twice, it has two ids and runs twice. Let the producer set a key or a property",
            message.getTopic());
      }
      return IdExtractor.ofValue(message.getMessageId().toString());
    };
  }

  /**
   * A text or an integer inside a JSON body. The integer 17 and the text "17" are the same id.
   *
   * @param pointer an RFC 6901 pointer, for example {@code /order/id}
   * @return an extractor that answers empty where the body is no valid UTF-8, no valid JSON, or has
   *     nothing of that kind there; see {@link JsonPointerId}
   * @throws IllegalArgumentException if the pointer is malformed
   */
  public static IdExtractor<MessageView> jsonPointer(String pointer) {
    JsonPointerId id = JsonPointerId.of(pointer);
    return message -> id.in(ClientMessages.body(message));
  }

  /**
   * An id that is another one in another topic: {@code orders/17}.
   *
   * @param extractor the id within the topic
   * @return an extractor that answers empty where that one does, or is blank
   */
  public static IdExtractor<MessageView> withinTopic(IdExtractor<MessageView> extractor) {
    return IdExtractor.within(MessageView::getTopic, extractor);
  }
}
