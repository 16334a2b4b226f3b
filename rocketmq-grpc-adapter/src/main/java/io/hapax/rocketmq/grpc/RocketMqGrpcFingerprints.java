package io.hapax.rocketmq.grpc;

import io.hapax.mark.Fingerprint;
import java.util.function.Function;
import org.apache.rocketmq.client.apis.message.MessageView;

/** Computes fingerprints of RocketMQ messages, which show whether two payloads differ. */
public final class RocketMqGrpcFingerprints {

  private RocketMqGrpcFingerprints() {}

  /**
   * Returns a function that computes the fingerprint of a message's body, the same as
   * {@code rocketmq-adapter} computes.
   *
   * @return a function over the bytes of the body
   */
  public static Function<MessageView, Fingerprint> body() {
    return message -> Fingerprint.of(ClientMessages.body(message));
  }
}
