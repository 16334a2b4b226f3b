package io.hapax.rocketmq;

import io.hapax.mark.Fingerprint;
import java.util.function.Function;
import org.apache.rocketmq.common.message.MessageExt;

/** Computes the fingerprints that distinguish the payloads of RocketMQ messages. */
public final class RocketMqFingerprints {

  private static final byte[] NOTHING = {};

  private RocketMqFingerprints() {}

  /**
   * The fingerprint of the message's body. Properties do not count: the broker changes them from
   * one delivery to the next.
   *
   * @return a function that takes the bytes of the body; a missing body is an empty one
   */
  public static Function<MessageExt, Fingerprint> body() {
    return message -> Fingerprint.of(message.getBody() == null ? NOTHING : message.getBody());
  }
}
