package io.hapax.rocketmq;

import io.hapax.IdExtractor;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.json.JsonPointerId;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the business message id in RocketMQ messages. Any lambda serves as well; several are joined
 * by {@link IdExtractor#firstOf} and {@link IdExtractor#composed}.
 *
 * <p>A good id is written once, by the application that owns the business fact. It survives a
 * resend of the producer and a replay. The ids that the broker assigns do not, so neither is
 * offered here: the offset id changes with each retry, and {@code ORIGIN_MESSAGE_ID} is written in
 * two forms.
 */
public final class RocketMqIds {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqIds.class);
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private RocketMqIds() {}

  /**
   * {@return an extractor of what fits most topics: the message's single key, else its
   * {@code UNIQ_KEY}, within its topic and tag} The same order number in two topics is two
   * messages, and so is the same order number with two tags: {@code orders/17},
   * {@code orders:PAID/17}.
   */
  public static IdExtractor<MessageExt> standard() {
    return IdExtractor.within(
        RocketMqIds::topicAndTag, IdExtractor.firstOf(List.of(key(), uniqueKey())));
  }

  /** Joins topic and tag. A topic has no colon, and a slash in the tag is escaped. */
  private static String topicAndTag(MessageExt message) {
    String tag = message.getTags();
    return tag == null || tag.isEmpty()
        ? firstTopic(message)
        : firstTopic(message) + ':' + tag.replace("%", "%25").replace("/", "%2F");
  }

  /**
   * {@return an extractor of a property that the producer set; empty where it is missing or empty}
   *
   * @param name the property's name
   */
  public static IdExtractor<MessageExt> property(String name) {
    return message -> IdExtractor.ofValue(message.getProperty(name));
  }

  /**
   * {@return an extractor of the message's key ({@code KEYS}); empty where there is no key, or more
   * than one} Only right where each message of a key is another fact than all others, for example a
   * key of order numbers in a topic of new orders. RocketMQ separates keys by blanks, so a key with
   * a blank counts as two.
   */
  public static IdExtractor<MessageExt> key() {
    return message -> Optional.ofNullable(message.getKeys())
        .map(String::strip)
        .filter(keys -> !keys.contains(MessageConst.KEY_SEPARATOR))
        .flatMap(IdExtractor::ofValue);
  }

  /**
   * {@return an extractor of {@code UNIQ_KEY}, which the producer's client gives to each message;
   * empty where it is missing} It survives the broker's retries and the client's, and a replay. It
   * does not survive a resend by the application, which runs again; and a message object that is
   * sent twice with different content carries it twice, which is a conflict. One that a consumer
   * forwards to another topic carries it on: by itself it is the same id there,
   * {@link #withinTopic} makes it another. The log warns once for each topic whose messages have
   * nothing better.
   */
  public static IdExtractor<MessageExt> uniqueKey() {
    return message -> {
      String topic = firstTopic(message);
      if (WARNED.add(topic)) {
        LOG.warn(
            "The id of messages of topic {} is UNIQ_KEY: if their producer sends one twice, it has"
                + " two ids and runs twice. Let the producer set a key or a property",
            topic);
      }
      String first =
          isDeadLetter(message) ? message.getProperty(DeadLetterHeaders.UNIQUE_KEY) : null;
      return IdExtractor.ofValue(
          first == null ? message.getProperty(DeadLetterMessage.UNIQ_KEY) : first);
    };
  }

  /**
   * A text or an integer inside a JSON body. The integer 17 and the text "17" are the same id.
   *
   * @param pointer an RFC 6901 pointer, for example {@code /order/id}
   * @return an extractor that answers empty where the body is missing, no valid UTF-8, no valid
   *     JSON, or has nothing of that kind there; see {@link JsonPointerId}
   * @throws IllegalArgumentException if the pointer is malformed
   */
  public static IdExtractor<MessageExt> jsonPointer(String pointer) {
    JsonPointerId id = JsonPointerId.of(pointer);
    return message -> Optional.ofNullable(message.getBody()).flatMap(id::in);
  }

  /**
   * An id that is another one in another topic: {@code orders/17}. A message that comes from the
   * group's retry topic, or from its dead-letter topic {@code %DLQ%group}, has the id that it had
   * in its own.
   *
   * @param extractor the id within the topic
   * @return an extractor that answers empty where that one does, or is blank
   */
  public static IdExtractor<MessageExt> withinTopic(IdExtractor<MessageExt> extractor) {
    return IdExtractor.within(RocketMqIds::firstTopic, extractor);
  }

  /**
   * {@return the topic, without a namespace, that a message was sent to, also if it comes from a
   * retry topic}
   *
   * @param message a message that was delivered
   */
  public static String realTopic(MessageExt message) {
    return DeadLetterMessage.sentTo(message);
  }

  /**
   * Returns the topic that a message was sent to first, which is a part of its id. A tool that
   * resends a dead letter hands it to the listener with the topic {@code %DLQ%group}.
   *
   * @param message a message that was delivered
   * @return the {@link #realTopic real topic}; of a dead letter in {@code %DLQ%group} the topic of
   *     its message, if it names that
   */
  public static String firstTopic(MessageExt message) {
    if (!isDeadLetter(message)) {
      return realTopic(message);
    }
    return Optional.ofNullable(message.getProperty(DeadLetterHeaders.TOPIC))
        .or(() -> Optional.ofNullable(message.getProperty(MessageConst.PROPERTY_RETRY_TOPIC)))
        .orElseGet(message::getTopic);
  }

  private static boolean isDeadLetter(MessageExt message) {
    return realTopic(message).startsWith(ClientInternals.DEAD_LETTER_PREFIX);
  }
}
