package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Builds the receiver and the dispatcher of a wrapped listener. */
final class StandardReceiver {

  private static final int MOST_WORKERS = 1_000;

  private StandardReceiver() {}

  /** Applies the user's changes to the settings that fit most, and raises the batch size. */
  static ReceiverBuilder<MessageExt> builder(
      DefaultMQPushConsumer consumer, Consumer<ListenerSettings> changes) {
    ListenerSettings settings = new ListenerSettings();
    changes.accept(settings);
    ReceiverBuilder<MessageExt> builder = settings.applyTo(
        IdempotentReceiver.<MessageExt>builder(ClientInternals.consumerName(consumer))
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .workers(Math.min(MOST_WORKERS, consumer.getConsumeThreadMax()))
            .deadLetters(RocketMqDeadLetterPublisher.of(consumer)));
    if (!settings.keepsBatchSize()) {
      ConsumerSettings.raiseBatchSize(consumer);
    }
    return builder;
  }

  /**
   * Checks the consumer's settings; if they are refused, ends the threads that the receiver began.
   */
  static ListenerDispatcher dispatcher(
      DefaultMQPushConsumer consumer, IdempotentReceiver<MessageExt> receiver, boolean inOrder) {
    try {
      return new ListenerDispatcher(
          consumer, receiver, inOrder, Optional.of(ClientInternals.consumerName(consumer)));
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
