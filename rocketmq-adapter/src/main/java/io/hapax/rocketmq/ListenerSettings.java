package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * Changes what {@code wrap} chooses by itself. Not thread-safe; used only while {@code wrap} runs.
 *
 * <pre>{@code
 * IdempotentConcurrentListener.wrap(consumer, store, yourListener, settings -> settings
 *     .receiver(receiver -> receiver.listener(meters).lease(LeaseSettings.of(Duration.ofMinutes(1)))));
 * }</pre>
 */
public final class ListenerSettings {

  private static final int MOST_WORKERS = 1_000;

  private UnaryOperator<ReceiverBuilder<MessageExt>> receiver = UnaryOperator.identity();
  private boolean keepBatchSize;

  ListenerSettings() {}

  /**
   * Changes the receiver behind the listener: meters, lease, retries, ids, and whatever else its
   * builder has. A second call adds its changes to those of the first.
   *
   * @param changes is given the builder as {@code wrap} has set it up, and returns it
   * @return this
   */
  public ListenerSettings receiver(UnaryOperator<ReceiverBuilder<MessageExt>> changes) {
    UnaryOperator<ReceiverBuilder<MessageExt>> before = receiver;
    receiver = builder -> changes.apply(before.apply(builder));
    return this;
  }

  /**
   * Leaves {@code consumeMessageBatchMaxSize} of the consumer as it is. By default it is raised
   * from 1 to 32, so that up to 32 messages share a call to the store.
   *
   * @return this
   */
  public ListenerSettings keepBatchSize() {
    keepBatchSize = true;
    return this;
  }

  static ReceiverBuilder<MessageExt> builder(
      DefaultMQPushConsumer consumer, Consumer<ListenerSettings> changes) {
    ListenerSettings settings = new ListenerSettings();
    changes.accept(settings);
    ReceiverBuilder<MessageExt> builder = settings.receiver.apply(
        IdempotentReceiver.<MessageExt>builder(ClientInternals.consumerName(consumer))
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .workers(Math.min(MOST_WORKERS, consumer.getConsumeThreadMax()))
            .deadLetters(RocketMqDeadLetterPublisher.of(consumer)));
    if (!settings.keepBatchSize) {
      PushConsumerSettings.raiseBatchSize(consumer);
    }
    return builder;
  }
}
