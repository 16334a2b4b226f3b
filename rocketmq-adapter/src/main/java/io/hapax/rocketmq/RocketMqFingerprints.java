package io.hapax.rocketmq;

import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/** Computes the fingerprints that distinguish the payloads of RocketMQ messages. */
public final class RocketMqFingerprints {

  private static final byte[] NOTHING = {};

  private RocketMqFingerprints() {}

  /**
   * {@return a function that computes the fingerprint of a message's body and tag} Other properties
   * count by name only, because the broker and tracing change some at each delivery or resend. A
   * missing body is an empty one. A message without tag and properties has the fingerprint of its
   * body.
   *
   * @param properties the properties of the producer that count too: messages that differ in one of
   *     them are different messages
   */
  public static Function<MessageExt, Fingerprint> body(String... properties) {
    List<String> names = Stream.concat(
            Stream.of(MessageConst.PROPERTY_TAGS), Arrays.stream(properties))
        .toList();
    return message -> {
      byte[] body = message.getBody();
      Fingerprint fingerprint = Fingerprint.of(body == null ? NOTHING : body);
      for (String name : names) {
        String value = message.getProperty(name);
        if (value != null) {
          fingerprint = fingerprint.and(name, value.getBytes(StandardCharsets.UTF_8));
        }
      }
      return fingerprint;
    };
  }
}
