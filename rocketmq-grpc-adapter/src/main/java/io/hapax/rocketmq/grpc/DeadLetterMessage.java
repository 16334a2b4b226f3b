package io.hapax.rocketmq.grpc;

import io.hapax.DeadLetter;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.mark.Bytes;
import io.hapax.redrive.DeadLetterMetadata;
import io.hapax.redrive.OmittedHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.message.MessageBuilder;
import org.apache.rocketmq.client.apis.message.MessageView;

/**
 * Holds a dead-letter record as a message that the client and the proxy accept, whatever the failed
 * message contains. Other clients may send content that this client refuses to send.
 *
 * @param body the part of the failed message's body that is sent; never empty
 * @param tag the message's tag, if it has one that may be sent
 * @param keys the message's keys, if they may be sent
 * @param properties Hapax's own properties, and those of the message that may be sent and fit
 */
record DeadLetterMessage(
    Bytes body, Optional<String> tag, Collection<String> keys, Map<String, String> properties) {

  /** Long enough to recognise a message, and far below every usual limit of bodies. */
  static final int HEAD = 4_096;

  /** The list of omitted headers names omitted keys and an omitted tag with these words. */
  private static final String KEYS = "KEYS";

  private static final String TAGS = "TAGS";

  /** Longer values of Hapax's own properties are cut, so that all properties fit. */
  private static final int LONGEST = 1_000;

  /** A proxy accepts 16 KiB of keys, tag and properties. */
  private static final int ROOM = 15 * 1_024;

  /** A proxy accepts 128 properties. Beside the named ones, topic, group and length are ours. */
  private static final int MOST =
      128 - DeadLetterMetadata.NAMES.size() - 3 - OmittedHeaders.NAMES.size();

  private static final byte[] NO_BODY = {0};

  /** Makes the dead-letter record, with at most {@code longestBody} bytes of the body. */
  static DeadLetterMessage of(DeadLetter<MessageView> letter, int longestBody) {
    MessageView dead = letter.message();
    Map<String, String> own = own(letter);
    byte[] body = ClientMessages.body(dead);
    byte[] sent = body;
    if (body.length == 0 || body.length > longestBody) {
      sent = body.length == 0 ? NO_BODY : Arrays.copyOf(body, longestBody);
      own.put(DeadLetterHeaders.BODY_BYTES, Integer.toString(body.length));
    }
    bytesOfTheFirst(dead, body).ifPresent(bytes -> own.put(DeadLetterHeaders.BODY_BYTES, bytes));
    int room = ROOM
        - LONGEST
        - own.entrySet().stream().mapToInt(DeadLetterMessage::bytes).sum();
    List<String> leftOut = new ArrayList<>();
    Optional<String> tag = dead.getTag().filter(it -> isHarmless(it) && !it.contains("|"));
    Collection<String> keys = dead.getKeys();
    int headerBytes = tag.map(DeadLetterMessage::bytes).orElse(0)
        + keys.stream().mapToInt(DeadLetterMessage::bytes).sum();
    if (tag.isEmpty() && dead.getTag().isPresent()) {
      leftOut.add(TAGS);
    }
    if (!keys.stream().allMatch(DeadLetterMessage::isHarmless) || headerBytes > room) {
      leftOut.add(KEYS);
      keys = List.of();
    } else {
      room -= headerBytes;
    }
    Map<String, String> properties = new TreeMap<>(fitting(dead, own, room, leftOut));
    properties.putAll(own);
    properties.putAll(leftOutOfTheFirst(dead).with(leftOut).toProperties(LONGEST));
    return new DeadLetterMessage(Bytes.of(sent), tag, keys, properties);
  }

  /**
   * Returns the original length of the body, for a message that failed for good before. Its body
   * was cut then and is still cut. Empty if the body was never cut, or was restored since.
   */
  private static Optional<String> bytesOfTheFirst(MessageView dead, byte[] body) {
    return Optional.ofNullable(dead.getProperties().get(DeadLetterHeaders.BODY_BYTES))
        .filter(bytes -> bytes.equals("0")
            ? Arrays.equals(body, NO_BODY)
            : bytes.matches("[1-9]\\d{0,9}") && body.length < Long.parseLong(bytes));
  }

  /**
   * Returns the headers that were omitted when the message failed for good before, and that were
   * not restored since.
   */
  private static OmittedHeaders leftOutOfTheFirst(MessageView dead) {
    Map<String, String> properties = dead.getProperties();
    return OmittedHeaders.read(name -> Optional.ofNullable(properties.get(name)))
        .without(name -> properties.containsKey(name)
            || (name.equals(KEYS) && !dead.getKeys().isEmpty())
            || (name.equals(TAGS) && dead.getTag().isPresent()));
  }

  private static Map<String, String> own(DeadLetter<MessageView> letter) {
    Map<String, String> own = new TreeMap<>();
    DeadLetterMetadata.of(letter)
        .toProperties()
        .forEach((name, value) -> own.put(name, harmless(value)));
    own.put(DeadLetterHeaders.TOPIC, harmless(letter.message().getTopic()));
    own.put(
        DeadLetterHeaders.MESSAGE_GROUP,
        harmless(letter.message().getMessageGroup().orElse("")));
    own.values().removeIf(String::isEmpty);
    return own;
  }

  /** Returns the message's own properties that fit, the small ones first. */
  private static Map<String, String> fitting(
      MessageView dead, Map<String, String> own, int room, List<String> leftOut) {
    List<Map.Entry<String, String>> theirs = dead.getProperties().entrySet().stream()
        .filter(it -> !own.containsKey(it.getKey()))
        .filter(it -> !it.getKey().equals(DeadLetterHeaders.BODY_BYTES)
            && !DeadLetterMetadata.NAMES.contains(it.getKey())
            && !OmittedHeaders.NAMES.contains(it.getKey()))
        .sorted(Comparator.comparingInt(DeadLetterMessage::bytes))
        .toList();
    Map<String, String> fitting = new TreeMap<>();
    int left = room;
    for (Map.Entry<String, String> one : theirs) {
      boolean taken = isHarmless(one.getKey()) && isHarmless(one.getValue());
      if (taken && bytes(one) <= left && fitting.size() < MOST) {
        left -= bytes(one);
        fitting.put(one.getKey(), one.getValue());
      } else {
        leftOut.add(one.getKey());
      }
    }
    return fitting;
  }

  private static int bytes(Map.Entry<String, String> property) {
    return bytes(property.getKey()) + bytes(property.getValue());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns whether a proxy accepts the text. */
  private static boolean isHarmless(String text) {
    return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
  }

  /** Turns the value of one of Hapax's own properties into a text that a proxy accepts. */
  private static String harmless(String value) {
    StringBuilder text = new StringBuilder();
    int left = LONGEST;
    for (int point : value.codePoints().toArray()) {
      String one = Character.isISOControl(point) ? " " : Character.toString(point);
      left -= bytes(one);
      if (left < 0) {
        break;
      }
      text.append(one);
    }
    return text.toString().strip();
  }

  Message to(String topic, MessageBuilder builder) {
    builder.setTopic(topic).setBody(body.toByteArray());
    tag.ifPresent(builder::setTag);
    if (!keys.isEmpty()) {
      builder.setKeys(keys.toArray(String[]::new));
    }
    properties.forEach(builder::addProperty);
    return builder.build();
  }
}
