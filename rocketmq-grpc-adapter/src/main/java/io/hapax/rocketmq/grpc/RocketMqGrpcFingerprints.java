package io.hapax.rocketmq.grpc;

import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.jspecify.annotations.Nullable;

/** Computes fingerprints of RocketMQ messages, which show whether two payloads differ. */
public final class RocketMqGrpcFingerprints {

  private RocketMqGrpcFingerprints() {}

  /**
   * Returns a function that computes the fingerprint of a message's body and tag, the same as
   * {@code rocketmq-adapter} computes.
   *
   * @param properties the properties of the producer that count too: messages that differ in one of
   *     them are different messages
   * @return the function
   */
  public static Function<MessageView, Fingerprint> body(String... properties) {
    List<String> names = List.of(properties);
    return message -> {
      Fingerprint fingerprint = with(
          Fingerprint.of(ClientMessages.body(message)), "TAGS", message.getTag().orElse(null));
      for (String name : names) {
        fingerprint = with(fingerprint, name, message.getProperties().get(name));
      }
      return fingerprint;
    };
  }

  private static Fingerprint with(Fingerprint fingerprint, String name, @Nullable String value) {
    return value == null
        ? fingerprint
        : fingerprint.and(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
