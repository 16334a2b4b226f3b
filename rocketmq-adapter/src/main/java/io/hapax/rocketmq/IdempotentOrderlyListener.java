package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.health.Problem;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * Lets each message take effect once, in the order of its queue, whichever consumer handles it. It
 * wraps an existing listener, or a receiver with a handler.
 *
 * <pre>{@code
 * consumer.registerMessageListener(
 *     IdempotentOrderlyListener.wrap(consumer, store, yourListener));
 * }</pre>
 *
 * <p>A message that cannot run now has failed, or it is handled elsewhere. It stops its queue for
 * as long as it has to wait, at most 30 s at a time; nothing behind it starts. The receiver limits
 * its attempts. After the last one the message is dead-lettered, and the queue continues.
 *
 * <p>Refused settings, outages and the end are as with {@link IdempotentConcurrentListener}.
 * Nothing is sent back to the broker, so the statements there about sending back do not apply to
 * this listener.
 */
public final class IdempotentOrderlyListener implements MessageListenerOrderly, AutoCloseable {

  /** The client takes no longer pause. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final ListenerDispatcher dispatcher;

  private IdempotentOrderlyListener(ListenerDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /**
   * Wraps a listener, with the settings of {@link IdempotentConcurrentListener#wrap}. It is called
   * with one message at a time.
   *
   * @param consumer the consumer that the listener is for, not started yet. Now and at each call
   *     its {@code messageModel}, {@code clientRebalance} and {@code maxReconsumeTimes} are checked
   *     as in {@link IdempotentConcurrentListener#wrap}
   * @param store where marks are kept; stays open
   * @param listener the listener; it is handed only messages that may run, and must leave
   *     {@code autoCommit} alone. The pause that it asks for is not followed
   * @return a listener to be registered with that consumer, and closed after it
   * @throws IllegalArgumentException if a setting of the consumer breaks its rule
   */
  public static IdempotentOrderlyListener wrap(
      DefaultMQPushConsumer consumer, DedupStore store, MessageListenerOrderly listener) {
    return wrap(consumer, store, listener, settings -> {});
  }

  /**
   * Wraps a listener as {@link #wrap(DefaultMQPushConsumer, DedupStore, MessageListenerOrderly)}
   * does, with changes.
   *
   * @param consumer the consumer that the listener is for, not started yet
   * @param store where marks are kept; stays open
   * @param listener the listener; it is called with one message at a time
   * @param changes changes the receiver's settings, for example adds meters, or keeps the
   *     consumer's batch size
   * @return a listener to be registered with that consumer, and closed after it
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public static IdempotentOrderlyListener wrap(
      DefaultMQPushConsumer consumer,
      DedupStore store,
      MessageListenerOrderly listener,
      Consumer<ListenerSettings> changes) {
    IdempotentReceiver<MessageExt> receiver =
        ListenerSettings.builder(consumer, changes).leased(store, handler(listener));
    return new IdempotentOrderlyListener(ListenerDispatcher.owning(receiver, consumer, true));
  }

  /**
   * {@return a listener for a receiver, to be registered with that consumer}
   *
   * @param consumer the consumer that the listener is for, not started yet
   * @param receiver the receiver, in either mode; stays open
   * @throws IllegalArgumentException if a setting of the consumer breaks its rule
   */
  public static IdempotentOrderlyListener of(
      DefaultMQPushConsumer consumer, IdempotentReceiver<MessageExt> receiver) {
    return new IdempotentOrderlyListener(ListenerDispatcher.to(receiver, consumer, true));
  }

  /**
   * {@return a handler that fails where the listener does not answer success} It is for a receiver
   * with settings of its own ({@code builder.leased(store, handler(listener))}). The listener is
   * called with one message at a time.
   *
   * @param listener the listener
   */
  public static MessageHandler<MessageExt> handler(MessageListenerOrderly listener) {
    return delivery -> {
      ConsumeOrderlyContext context =
          new ConsumeOrderlyContext(Coordinates.queueOf(delivery.message()));
      ConsumeOrderlyStatus status =
          listener.consumeMessage(List.of(RocketMqReceiver.messageOf(delivery)), context);
      if (!context.isAutoCommit()) {
        throw new ListenerFailedException("autoCommit is false but must be true: a message"
            + " is marked as soon as its listener returns");
      }
      if (status != ConsumeOrderlyStatus.SUCCESS) {
        throw new ListenerFailedException("the listener answered " + status);
      }
    };
  }

  @Override
  public ConsumeOrderlyStatus consumeMessage(
      List<MessageExt> messages, ConsumeOrderlyContext context) {
    Optional<List<Outcome>> outcomes = dispatcher.take(messages, context.getMessageQueue());
    if (outcomes.isPresent()) {
      Optional<Deferred> first = outcomes.get().stream()
          .filter(Deferred.class::isInstance)
          .map(Deferred.class::cast)
          .findFirst();
      if (first.isEmpty()) {
        return ConsumeOrderlyStatus.SUCCESS;
      }
      context.setSuspendCurrentQueueTimeMillis(
          Math.min(first.get().after().toMillis(), LONGEST_PAUSE.toMillis()));
      countFailuresOnly(messages, outcomes.get());
    }
    return ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT;
  }

  /** At a pause the client adds one to the count of each message of the call. */
  private static void countFailuresOnly(List<MessageExt> messages, List<Outcome> outcomes) {
    for (int i = 0; i < messages.size(); i++) {
      MessageExt message = messages.get(i);
      if (!(outcomes.get(i) instanceof Deferred deferred)
          || deferred.reason() != Outcome.Reason.RETRY) {
        message.setReconsumeTimes(message.getReconsumeTimes() - 1);
      }
    }
  }

  /** {@return the problems that {@link IdempotentConcurrentListener#problems} lists} */
  public List<Problem> problems() {
    return dispatcher.problems();
  }

  ListenerDispatcher dispatcher() {
    return dispatcher;
  }

  /** Ends as {@link IdempotentConcurrentListener#close} does. */
  @Override
  public void close() {
    dispatcher.end();
  }
}
