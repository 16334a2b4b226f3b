package io.hapax.rocketmq.grpc;

import io.hapax.adapter.Incoming;
import java.nio.ByteBuffer;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;

/** Messages of the client, and what it knows of them but does not say in its interface. */
final class ClientMessages {

  private ClientMessages() {}

  static byte[] body(MessageView message) {
    ByteBuffer body = message.getBody();
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    return bytes;
  }

  /** For people; the broker finds a message by its id. */
  static String coordinates(MessageView message) {
    return message.getTopic() + '/' + message.getMessageId();
  }

  /**
   * The message for the engine. One that comes again may have killed its process, so its attempts
   * are written before it runs.
   */
  static Incoming<MessageView> incoming(MessageView message, String lane) {
    return new Incoming<>(
        message,
        lane,
        coordinates(message),
        message.getDeliveryAttempt() > 1,
        Incoming.sentAt(message.getBornTimestamp()));
  }

  /** Whether its body is not what was sent. The client hands out such a message as any other. */
  static boolean isCorrupted(MessageView message) {
    return message instanceof MessageViewImpl inside && inside.isCorrupted();
  }

  /** Under which the message is acknowledged at present; empty if the client is another one. */
  static String handle(MessageView message) {
    return message instanceof MessageViewImpl inside ? inside.getReceiptHandle() : "";
  }

  /**
   * Gives a message back the handle that it had. The client replaces it by the one in the answer
   * before it looks whether that answer is a refusal, which has none.
   */
  static void restore(MessageView message, String handle) {
    if (message instanceof MessageViewImpl inside && inside.getReceiptHandle().isEmpty()) {
      inside.setReceiptHandle(handle);
    }
  }
}
