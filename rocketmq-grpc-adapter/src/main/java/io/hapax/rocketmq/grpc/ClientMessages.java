package io.hapax.rocketmq.grpc;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import java.nio.ByteBuffer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;

/** Reads messages of the client, including data that its interface does not expose. */
final class ClientMessages {

  private ClientMessages() {}

  static byte[] body(MessageView message) {
    ByteBuffer body = message.getBody();
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    return bytes;
  }

  /** Returns coordinates for people; the broker finds a message by its id. */
  static String coordinates(MessageView message) {
    return message.getTopic() + '/' + message.getMessageId();
  }

  /**
   * Returns the message for the engine. A redelivered message may have killed its process, so its
   * attempts are written before it runs.
   */
  static Incoming<MessageView> incoming(MessageView message, String lane) {
    return new Incoming<>(
        Handout.always(message), // a view cannot be changed: it gives copies
        lane,
        true,
        coordinates(message),
        message.getDeliveryAttempt() > 1,
        Incoming.sentAt(message.getBornTimestamp()));
  }

  /**
   * Returns whether the body differs from the one that was sent. The client delivers such a message
   * like any other.
   */
  static boolean isCorrupted(MessageView message) {
    return message instanceof MessageViewImpl inside && inside.isCorrupted();
  }

  /**
   * Returns the handle that acknowledges the message now; empty for another implementation of the
   * client.
   */
  static String handle(MessageView message) {
    return message instanceof MessageViewImpl inside ? inside.getReceiptHandle() : "";
  }

  /**
   * Restores the handle that a message had. The client replaces it by the handle in the answer
   * before it checks whether the answer is a refusal, which has no handle.
   */
  static void restore(MessageView message, String handle) {
    if (message instanceof MessageViewImpl inside && inside.getReceiptHandle().isEmpty()) {
      inside.setReceiptHandle(handle);
    }
  }
}
