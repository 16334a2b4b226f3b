package io.hapax.rocketmq;

import io.hapax.BatchHandler;
import io.hapax.IdempotentReceiver;
import io.hapax.store.DedupStore;
import java.util.Optional;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** What is the same for every wrapped listener. */
final class StandardReceiver {

  private static final int MOST_WORKERS = 1_000;

  private StandardReceiver() {}

  static IdempotentReceiver<MessageExt> of(
      DefaultMQPushConsumer consumer, DedupStore store, BatchHandler<MessageExt> handler) {
    return IdempotentReceiver.<MessageExt>builder(ClientInside.consumerName(consumer))
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .workers(Math.min(MOST_WORKERS, consumer.getConsumeThreadMax()))
        .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
        .leasedBatches(store, handler);
  }

  /**
   * Checks the consumer's settings; if they are refused, ends the threads that {@link #of} began.
   */
  static Intake intake(
      DefaultMQPushConsumer consumer, IdempotentReceiver<MessageExt> receiver, boolean inOrder) {
    try {
      return new Intake(
          consumer, receiver, inOrder, Optional.of(ClientInside.consumerName(consumer)));
    } catch (RuntimeException | Error refused) {
      try {
        receiver.close();
      } catch (RuntimeException | Error e) {
        refused.addSuppressed(e);
      }
      throw refused;
    }
  }

  /** Where a message was read from, with the topic that it was sent to. */
  static MessageQueue queueOf(MessageExt message) {
    return new MessageQueue(
        RocketMqIds.realTopic(message), message.getBrokerName(), message.getQueueId());
  }
}
