package io.hapax.rocketmq.internal;

import io.hapax.DeadLetter;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.adapter.deadletter.OmittedHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/** Other clients may have sent a message that this client refuses to send. */
public final class DeadLetterMessage {

  /** Long enough to recognise a message, and far below any usual limit of bodies. */
  public static final int HEAD = 4_096;

  /** Longer texts of our own are cut, so that all of them fit. */
  private static final int LONGEST = 1_000;

  /** A broker refuses properties from 32 KiB on, and both it and the client add some. */
  private static final int PROPERTIES = 31 * 1_024;

  /** The room for the names of the properties that are left out. */
  private static final int NAMES = 4 * 1_024;

  private static final byte[] NO_BODY = {0};

  public static final String UNIQ_KEY = MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX;

  private DeadLetterMessage() {}

  public static Message of(DeadLetter<MessageExt> letter, String topic) {
    return message(letter, topic, Integer.MAX_VALUE);
  }

  public static Message withHeadOnly(DeadLetter<MessageExt> letter, String topic) {
    return message(letter, topic, HEAD);
  }

  private static Message message(DeadLetter<MessageExt> letter, String topic, int longestBody) {
    MessageExt dead = letter.message();
    Map<String, String> own = own(letter);
    byte[] body = dead.getBody() == null ? new byte[0] : dead.getBody();
    byte[] sent = body;
    if (body.length == 0 || body.length > longestBody) {
      sent = body.length == 0 ? NO_BODY : Arrays.copyOf(body, longestBody);
      own.put(DeadLetterHeaders.BODY_BYTES, Integer.toString(body.length));
    }
    bytesOfTheFirst(dead, body).ifPresent(bytes -> own.put(DeadLetterHeaders.BODY_BYTES, bytes));
    Message message = new Message(topic, sent);
    message.setFlag(dead.getFlag());
    copy(dead, message, own);
    own.forEach((name, value) -> MessageAccessor.putProperty(message, name, value));
    return message;
  }

  /** The length before an earlier cut; empty if the body is complete. */
  public static Optional<String> bytesOfTheFirst(MessageExt dead, byte[] body) {
    return Optional.ofNullable(dead.getProperty(DeadLetterHeaders.BODY_BYTES))
        .filter(bytes -> bytes.equals("0")
            ? Arrays.equals(body, NO_BODY)
            : bytes.matches("[1-9]\\d{0,9}") && body.length < Long.parseLong(bytes));
  }

  /** Returns the headers that an earlier dead-letter record left out and that are still missing. */
  public static OmittedHeaders leftOutOfTheFirst(MessageExt dead) {
    return OmittedHeaders.read(name -> Optional.ofNullable(dead.getProperty(name)))
        .without(name -> dead.getProperty(name) != null);
  }

  public static String sentTo(MessageExt message) {
    String topic = message.getTopic();
    String real = message.getProperty(MessageConst.PROPERTY_RETRY_TOPIC);
    return real != null && topic.startsWith(MixAll.RETRY_GROUP_TOPIC_PREFIX) ? real : topic;
  }

  private static Map<String, String> own(DeadLetter<MessageExt> letter) {
    Map<String, String> texts = DeadLetterMetadata.of(letter).toProperties();
    texts.put(DeadLetterHeaders.TOPIC, sentTo(letter.message()));
    Optional.ofNullable(letter.message().getProperty(UNIQ_KEY))
        .ifPresent(key -> texts.put(DeadLetterHeaders.UNIQUE_KEY, key));
    Map<String, String> own = new HashMap<>();
    texts.forEach((name, value) -> {
      String harmless = harmless(value);
      if (!harmless.isEmpty()) {
        own.put(name, harmless);
      }
    });
    return own;
  }

  /** Copies the message's own properties, the small ones first once they do not all fit. */
  private static void copy(MessageExt dead, Message message, Map<String, String> own) {
    List<Map.Entry<String, String>> theirs = new ArrayList<>();
    dead.getProperties().entrySet().stream()
        .filter(it -> isTheirs(it.getKey())
            && !own.containsKey(it.getKey())
            && !DeadLetterMetadata.NAMES.contains(it.getKey()))
        .sorted(Comparator.comparingInt(DeadLetterMessage::bytes))
        .forEach(theirs::add);
    int room =
        PROPERTIES - own.entrySet().stream().mapToInt(DeadLetterMessage::bytes).sum();
    if (theirs.stream().mapToInt(DeadLetterMessage::bytes).sum() > room) {
      room -= NAMES;
    }
    List<String> leftOut = new ArrayList<>();
    for (Map.Entry<String, String> one : theirs) {
      room -= bytes(one);
      if (room >= 0) {
        MessageAccessor.putProperty(message, one.getKey(), one.getValue());
      } else {
        leftOut.add(one.getKey());
      }
    }
    own.putAll(leftOutOfTheFirst(dead).with(leftOut).toProperties(LONGEST));
  }

  public static boolean isTheirs(String name) {
    return name.equals(MessageConst.PROPERTY_KEYS)
        || name.equals(MessageConst.PROPERTY_TAGS)
        || !(MessageConst.STRING_HASH_SET.contains(name)
            || name.startsWith(MessageConst.PROPERTY_TRANSIENT_PREFIX)
            || name.equals(DeadLetterHeaders.BODY_BYTES)
            || OmittedHeaders.NAMES.contains(name));
  }

  private static int bytes(Map.Entry<String, String> property) {
    return property.getKey().getBytes(StandardCharsets.UTF_8).length
        + property.getValue().getBytes(StandardCharsets.UTF_8).length
        + 2;
  }

  /** A property must not be empty, nor hold the two characters that part properties. */
  private static String harmless(String value) {
    String text = value.replace('\u0001', ' ').replace('\u0002', ' ').strip();
    if (text.length() <= LONGEST) {
      return text;
    }
    boolean halved = Character.isHighSurrogate(text.charAt(LONGEST - 1));
    return text.substring(0, halved ? LONGEST - 1 : LONGEST);
  }
}
