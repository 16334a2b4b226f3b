package io.hapax.rocketmq;

import io.hapax.audit.AuditFailedException;
import java.util.Optional;
import java.util.UUID;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/** Sends messages once more, and waits for the broker to store them. */
final class Resender implements AutoCloseable {

  /** Of producers, whose groups leave nothing at the brokers. */
  private static final String GROUP = "hapax-redrive";

  private final DefaultMQProducer producer;

  private Resender(DefaultMQProducer producer) {
    this.producer = producer;
  }

  /** Connects as the caller's clients do. */
  static Resender open(ClientConfig like, @Nullable RPCHook credentials) {
    DefaultMQProducer producer = new DefaultMQProducer(GROUP, credentials);
    producer.resetClientConfig(like.cloneClientConfig());
    producer.setInstanceName("hapax-" + UUID.randomUUID()); // shares its client with nobody
    producer.setMaxMessageSize(Integer.MAX_VALUE); // the broker's limit counts
    try {
      producer.start();
      return new Resender(producer);
    } catch (MQClientException e) {
      producer.shutdown();
      throw new AuditFailedException("the client cannot start: " + e.getErrorMessage(), e);
    }
  }

  /**
   * Sends to the queue that a message came from, if it is one of its topic, else to any of them.
   *
   * @throws AuditFailedException if the broker did not store it, or nobody knows whether it did
   */
  void send(Message message, String coordinates) throws InterruptedException {
    SendResult result = BrokerView.call(() -> {
      Optional<MessageQueue> home = producer.fetchPublishMessageQueues(message.getTopic()).stream()
          .filter(queue -> coordinates.startsWith(QueueRange.place(queue) + '@'))
          .findFirst();
      return home.isPresent()
          ? producer.send(message, home.get(), BrokerView.TIMEOUT_MILLIS)
          : producer.send(message, BrokerView.TIMEOUT_MILLIS);
    });
    if (result.getSendStatus() != SendStatus.SEND_OK) {
      throw new AuditFailedException("the broker answered " + result.getSendStatus());
    }
  }

  @Override
  public void close() {
    producer.shutdown();
  }
}
