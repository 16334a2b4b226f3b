package io.hapax.rocketmq.grpc;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageIdCodec;
import org.apache.rocketmq.client.java.message.MessageViewImpl;
import org.jspecify.annotations.Nullable;

/** Messages as the client would make them of what a proxy sends. */
final class Views {

  static final String TOPIC = "orders";

  private Views() {}

  static MessageView message(List<String> keys, Map<String, String> properties, String body) {
    return message(TOPIC, null, null, keys, properties, body);
  }

  static MessageView tagged(String tag, List<String> keys, Map<String, String> properties) {
    return message(TOPIC, tag, null, keys, properties, "body");
  }

  static MessageView grouped(String group, Map<String, String> properties, String body) {
    return message(TOPIC, null, group, List.of(), properties, body);
  }

  static MessageView message(String topic, List<String> keys) {
    return message(topic, null, null, keys, Map.of(), "body");
  }

  private static MessageView message(
      String topic,
      @Nullable String tag,
      @Nullable String group,
      List<String> keys,
      Map<String, String> properties,
      String body) {
    return new MessageViewImpl(
        MessageIdCodec.getInstance().nextMessageId(),
        topic,
        body.getBytes(StandardCharsets.UTF_8),
        tag,
        group,
        null,
        null,
        null,
        keys,
        properties,
        "localhost",
        1_000,
        1,
        null,
        "",
        0,
        false,
        null);
  }

  /** The same message, as the client hands it out when its body's checksum is wrong. */
  static MessageView corrupted(MessageViewImpl sound) {
    return new MessageViewImpl(
        sound.getMessageId(),
        sound.getTopic(),
        new byte[] {1},
        null,
        null,
        null,
        null,
        null,
        sound.getKeys(),
        sound.getProperties(),
        sound.getBornHost(),
        sound.getBornTimestamp(),
        sound.getDeliveryAttempt(),
        sound.getMessageQueue(),
        sound.getReceiptHandle(),
        sound.getOffset(),
        true,
        null);
  }
}
