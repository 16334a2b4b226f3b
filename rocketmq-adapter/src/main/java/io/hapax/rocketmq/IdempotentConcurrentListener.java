package io.hapax.rocketmq;

import io.hapax.BatchHandler;
import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.errors.PartlyHandledException;
import io.hapax.health.Problem;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Lets each message take effect once, whichever consumer handles it. It wraps an existing listener,
 * or a receiver with a handler.
 *
 * <pre>{@code
 * consumer.registerMessageListener(
 *     IdempotentConcurrentListener.wrap(consumer, store, yourListener));
 * }</pre>
 *
 * <p>The messages of a call are claimed together; under {@code probe} and {@code deadLetter} at
 * most as many as there are workers. Each worker handles one message at a time, and there are as
 * many workers as the consumer has threads. The messages are settled in groups. A message that has
 * failed, or that is handled elsewhere, blocks no other: the messages behind it in the call run.
 * Only this message is sent back. Its delay level is not below its wait: the remaining lease of the
 * other claim, or the backoff of its failure. Its original counts as consumed once the broker has
 * stored the copy. If a call contains several copies of a message, one of them is sent back.
 *
 * <p>If the last messages of a call all wait at one level, the client sends them back. With one
 * message a call this is always so. If the broker does not take a message, the client sends it as a
 * new one, at a level of its own choice. If that fails too, this message and all behind it are left
 * to the client. Completed messages among them are redelivered and acknowledged as duplicates. The
 * client's own counts of consumed and failed messages are therefore not Hapax's.
 *
 * <p>If a consumer dies after it sent a message back, and before the offset of the original is
 * written, the broker keeps both and redelivers each. Once one of them is done, the other is
 * acknowledged as a duplicate. Until then each failure of either costs an attempt.
 *
 * <p>The receiver, not the broker, controls retries and dead-lettering. The consumer's
 * {@code maxReconsumeTimes} is raised if it is not set, and refused if it is set low. The consumer
 * must be in {@code CLUSTERING} mode. If a broker reports that its group loses messages that are
 * sent back ({@code retryQueueNums} is 0), the listener no longer answers for its queues, and
 * {@link #problems()} reports this.
 *
 * <p>The log warns, once for each pair of topics, of messages that were sent back once and then
 * forwarded to another topic with all their properties. If such a message is sent back there too,
 * it is redelivered under its old topic, where it may be done.
 *
 * <p>While the store is down the client's threads wait for it, so the client stops pulling. A
 * {@code shutdown()} of the consumer waits 20 s for its handlers unless the consumer is configured
 * otherwise. {@link RocketMqReceiver} ends in better order.
 */
public final class IdempotentConcurrentListener
    implements MessageListenerConcurrently, AutoCloseable {

  private final ListenerDispatcher dispatcher;
  private final RetrySender retrySender;
  private final ForwardedMessages forwarded;

  private IdempotentConcurrentListener(
      DefaultMQPushConsumer consumer, ListenerDispatcher dispatcher) {
    this.forwarded = new ForwardedMessages(consumer::getConsumerGroup);
    this.dispatcher = dispatcher;
    this.retrySender = new RetrySender(consumer, dispatcher::level);
  }

  /**
   * Wraps a listener, with the settings that fit most consumers. The consumer name is the name of
   * the group, within its namespace if it has one ({@code namespace%group}). Ids are
   * {@link RocketMqIds#standard()}, and bodies and tags are compared. Dead letters go to
   * {@code %DLQ%group}. As many messages run at once as the consumer has threads.
   *
   * <p>The listener is called with one message at a time, so that a listener which answers
   * {@code RECONSUME_LATER}, or throws, repeats nothing but that message. Claims and settlements of
   * the messages of a call stay together; therefore {@code consumeMessageBatchMaxSize} of the
   * consumer is raised from 1 to 32. What has not started after half of {@code consumeTimeout} is
   * deferred without an attempt.
   *
   * @param consumer the consumer that the listener is for, with its group and namespace, not
   *     started yet. Its {@code messageModel} must be {@code CLUSTERING}, {@code clientRebalance}
   *     true, and {@code maxReconsumeTimes} at least 1000 and at least the receiver's attempts, or
   *     unset: then it is set to the maximum. This is checked now and at each call. If one of these
   *     settings, the group or the namespace is changed to a wrong value afterwards, no message is
   *     acknowledged, and {@link #problems()} reports it
   * @param store where marks are kept; stays open
   * @param listener the listener; it is handed only messages that may run, one in each call. A
   *     delay level that it sets is not followed
   * @return a listener to be registered with that consumer, and closed after it
   * @throws IllegalArgumentException if a setting of the consumer breaks its rule
   */
  public static IdempotentConcurrentListener wrap(
      DefaultMQPushConsumer consumer, DedupStore store, MessageListenerConcurrently listener) {
    return wrap(consumer, store, listener, settings -> {});
  }

  /**
   * Wraps a listener as {@link #wrap(DefaultMQPushConsumer, DedupStore,
   * MessageListenerConcurrently)} does, with changes.
   *
   * @param consumer the consumer that the listener is for, not started yet
   * @param store where marks are kept; stays open
   * @param listener the listener; it is called with one message at a time
   * @param changes changes the receiver's settings, for example adds meters, or keeps the
   *     consumer's batch size
   * @return a listener to be registered with that consumer, and closed after it
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public static IdempotentConcurrentListener wrap(
      DefaultMQPushConsumer consumer,
      DedupStore store,
      MessageListenerConcurrently listener,
      Consumer<ListenerSettings> changes) {
    return wrapped(
        consumer, ListenerSettings.builder(consumer, changes).leased(store, handler(listener)));
  }

  /**
   * Wraps a listener that wants many messages in one call, as for one statement for all of them. It
   * is handed the messages of a call that may run, up to {@code consumeMessageBatchMaxSize} of the
   * consumer.
   *
   * <p><b>A listener that stops at the first message that fails must set {@code ackIndex}</b>: the
   * index of the last message that is done, -1 if none is, with {@code CONSUME_SUCCESS}. If it
   * answers {@code RECONSUME_LATER} or throws, Hapax cannot know which messages took effect: all of
   * the call run again, also those before the one that failed, without any crash. A loop over the
   * messages is safer in {@link #wrap}.
   *
   * @param consumer the consumer that the listener is for, not started yet
   * @param store where marks are kept; stays open
   * @param listener the listener. Of its context the {@code ackIndex} counts; a delay level is not
   *     followed
   * @param changes changes the receiver's settings; {@code settings -> {}} leaves them
   * @return a listener to be registered with that consumer, and closed after it
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public static IdempotentConcurrentListener wrapBatches(
      DefaultMQPushConsumer consumer,
      DedupStore store,
      MessageListenerConcurrently listener,
      Consumer<ListenerSettings> changes) {
    return wrapped(
        consumer,
        ListenerSettings.builder(consumer, changes).leasedBatches(store, batchHandler(listener)));
  }

  private static IdempotentConcurrentListener wrapped(
      DefaultMQPushConsumer consumer, IdempotentReceiver<MessageExt> receiver) {
    return new IdempotentConcurrentListener(
        consumer, ListenerDispatcher.owning(receiver, consumer, false));
  }

  /**
   * {@return a listener for a receiver, to be registered with that consumer}
   *
   * @param consumer the consumer that the listener is for, not started yet
   * @param receiver the receiver, in either mode; stays open
   * @throws IllegalArgumentException if a setting of the consumer or of the receiver breaks its
   *     rule
   */
  public static IdempotentConcurrentListener of(
      DefaultMQPushConsumer consumer, IdempotentReceiver<MessageExt> receiver) {
    if (receiver.port().settings().identifiesByCoordinates()) {
      throw new IllegalArgumentException(
          "missingId is COORDINATES but must be another policy with a"
              + " concurrent listener: a message that is sent back has other coordinates and would run"
              + " again as if it were new; take RocketMqIds.uniqueKey() or an orderly listener");
    }
    return new IdempotentConcurrentListener(
        consumer, ListenerDispatcher.to(receiver, consumer, false));
  }

  /**
   * {@return a handler that fails where the listener does not answer success for its message} It is
   * for a receiver with settings of its own ({@code builder.leased(store, handler(listener))}). The
   * listener is called with one message at a time; claims and settlements of a call stay together.
   *
   * @param listener the listener
   */
  public static MessageHandler<MessageExt> handler(MessageListenerConcurrently listener) {
    return delivery -> call(listener, List.of(RocketMqReceiver.messageOf(delivery)));
  }

  /**
   * {@return a handler for many messages, which fails where the listener does not answer success,
   * from the message behind {@code ackIndex} on if it set one} Use it as
   * {@code builder.leasedBatches(store, batchHandler(listener))}. {@link #wrapBatches} says what
   * the listener must do with {@code ackIndex}.
   *
   * @param listener the listener
   */
  public static BatchHandler<MessageExt> batchHandler(MessageListenerConcurrently listener) {
    return deliveries ->
        call(listener, deliveries.stream().map(RocketMqReceiver::messageOf).toList());
  }

  private static void call(MessageListenerConcurrently listener, List<MessageExt> messages)
      throws Exception {
    ConsumeConcurrentlyContext context =
        new ConsumeConcurrentlyContext(Coordinates.queueOf(messages.get(0)));
    ConsumeConcurrentlyStatus status = listener.consumeMessage(messages, context);
    if (status != ConsumeConcurrentlyStatus.CONSUME_SUCCESS) {
      throw new ListenerFailedException("the listener answered " + status);
    }
    int done = Math.min(messages.size() - 1, context.getAckIndex()) + 1;
    if (done < messages.size()) {
      throw new PartlyHandledException(
          Math.max(0, done),
          new ListenerFailedException("the listener set ackIndex " + context.getAckIndex() + " for "
              + messages.size() + " messages"));
    }
  }

  @Override
  public ConsumeConcurrentlyStatus consumeMessage(
      List<MessageExt> messages, ConsumeConcurrentlyContext context) {
    forwarded.look(messages, context.getMessageQueue());
    MessageQueue queue = context.getMessageQueue();
    return dispatcher
        .take(messages, queue)
        .map(outcomes -> retrySender
            .sendBack(messages, outcomes, queue)
            .map(rest -> leave(rest, context))
            .orElse(ConsumeConcurrentlyStatus.CONSUME_SUCCESS))
        .orElse(ConsumeConcurrentlyStatus.RECONSUME_LATER); // ignored: the queue was given up
  }

  private static ConsumeConcurrentlyStatus leave(
      RetrySender.Rest rest, ConsumeConcurrentlyContext context) {
    context.setDelayLevelWhenNextConsume(rest.level());
    if (rest.from() == 0) {
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    }
    context.setAckIndex(rest.from() - 1);
    return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
  }

  /**
   * {@return why messages do not move, by kind; empty while all is well} These are the problems of
   * the consumer, its group and its dead-letter topic, and those of the {@link IdempotentReceiver}.
   */
  public List<Problem> problems() {
    return dispatcher.problems();
  }

  ListenerDispatcher dispatcher() {
    return dispatcher;
  }

  /**
   * Gives up messages that have not started, waits for running handlers, and ends the threads of
   * the receiver that {@link #wrap} made. All of this takes at most 20 s. Call it after the
   * consumer was shut down. {@link RocketMqReceiver} calls it in place of its user. That shutdown
   * waits for {@code awaitTerminationMillisWhenShutdown}. This method does not wait again for
   * handlers that outlived it.
   */
  @Override
  public void close() {
    dispatcher.end();
  }
}
