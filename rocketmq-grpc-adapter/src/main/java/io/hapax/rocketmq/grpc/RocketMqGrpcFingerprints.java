package io.hapax.rocketmq.grpc;

import io.hapax.mark.Fingerprint;
import java.util.function.Function;
import org.apache.rocketmq.client.apis.message.MessageView;

/** How payloads of RocketMQ messages are told apart. */
public final class RocketMqGrpcFingerprints {

  private RocketMqGrpcFingerprints() {}

  /**
   * The fingerprint of the message's body: the same that {@code rocketmq-adapter} takes.
   *
   * @return a function that takes the bytes of the body
   */
  public static Function<MessageView, Fingerprint> body() {
    return message -> Fingerprint.of(ClientMessages.body(message));
  }
}
