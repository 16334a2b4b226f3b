package io.hapax.rocketmq;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.rocketmq.internal.Starting;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a push consumer for a receiver: registers the listener, starts it, and ends it in good
 * order.
 *
 * <p>The consumer is the user's own, with its group, subscription, credentials, TLS, namespace and
 * instance name, not started and without a listener; from here on it belongs to this object. What
 * holds for messages is said by {@link IdempotentConcurrentListener} and
 * {@link IdempotentOrderlyListener}.
 *
 * <pre>{@code
 * DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("order-service");
 * consumer.setNamesrvAddr("127.0.0.1:9876");
 * consumer.subscribe("orders", "*");
 * try (RocketMqReceiver orders = RocketMqReceiver.start(receiver, consumer)) {
 *   ... orders.problems() shows a health check why nothing moves ...
 * }
 * }</pre>
 *
 * <p>The start checks for settings that lose messages or run them again. It refuses:
 *
 * <ul>
 *   <li>{@code BROADCASTING} and POP mode
 *   <li>a {@code maxReconsumeTimes} below 1000 or below the receiver's own attempts
 *   <li>credentials that every broker of the group refuses
 *   <li>a group that no broker knows and none creates ({@code autoCreateSubscriptionGroup} false)
 *   <li>a group whose brokers drop messages that are sent back ({@code retryQueueNums} 0)
 *   <li>a dead-letter topic of {@link RocketMqDeadLetterPublisher} that is missing and cannot be
 *       created
 * </ul>
 *
 * <p>It warns of:
 *
 * <ul>
 *   <li>a {@code consumeTimeout} of less than two leases, or not above the receiver's
 *       {@code handlerTimeout}
 *   <li>a {@code consumeFromWhere} with which a new group may begin at the end of a topic and miss
 *       earlier messages; the client's default is one
 *   <li>brokers that keep messages ({@code fileReservedTime}), with all their retries, for longer
 *       than the store keeps marks
 * </ul>
 *
 * <p>All methods are thread-safe.
 */
public final class RocketMqReceiver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqReceiver.class);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LEAVING = Duration.ofSeconds(10);

  private final DefaultMQPushConsumer consumer;
  private final RocketMqAttachment attachment;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RocketMqReceiver(DefaultMQPushConsumer consumer, RocketMqAttachment attachment) {
    this.consumer = consumer;
    this.attachment = attachment;
  }

  /**
   * Starts to receive, without an order. Handlers run on the receiver's workers, as many at once as
   * it has; the consumer's threads only wait for them, so it needs as many.
   *
   * @param receiver the receiver; stays open
   * @param consumer the consumer
   * @return a running receiver
   * @throws IllegalArgumentException if a setting of the consumer or of its group breaks its rule
   * @throws MQClientException if the consumer cannot start, or the brokers or their name server do
   *     not answer; see {@link Builder#start()}
   */
  public static RocketMqReceiver start(
      IdempotentReceiver<MessageExt> receiver, DefaultMQPushConsumer consumer)
      throws MQClientException {
    return builder(receiver, consumer).start();
  }

  /**
   * Starts a builder.
   *
   * @param receiver the receiver; stays open
   * @param consumer the consumer
   * @return a builder
   */
  public static Builder builder(
      IdempotentReceiver<MessageExt> receiver, DefaultMQPushConsumer consumer) {
    return new Builder(receiver, consumer);
  }

  /**
   * {@return the name that {@link IdempotentConcurrentListener#wrap} gives to a receiver, for
   * {@link IdempotentReceiver#builder}} It is the name of the group, within its namespace if it has
   * one ({@code namespace%group}).
   *
   * @param consumer the consumer, with its group, namespace and name server
   */
  public static String consumerName(DefaultMQPushConsumer consumer) {
    return ClientInternals.consumerName(consumer);
  }

  /**
   * Returns the message of a delivery for code that reads {@code getReconsumeTimes()}. That number
   * becomes the number of attempts before this one. The broker and its client also count each
   * return of a busy message, so a listener that gives up after a few would do so too early.
   *
   * @param delivery the delivery
   * @return its message; unless the delivery {@linkplain Delivery#isProtected() is protected}, with
   *     the count of the broker
   */
  public static MessageExt messageOf(Delivery<MessageExt> delivery) {
    MessageExt message = delivery.message();
    if (delivery.isProtected()) {
      message.setReconsumeTimes(delivery.attempt() - 1);
    }
    return message;
  }

  /** {@return the problems that {@link IdempotentConcurrentListener#problems} lists} */
  public List<Problem> problems() {
    return attachment.problems();
  }

  /**
   * Stops the intake, gives up messages that have not started, and waits for running handlers up to
   * the drain time-out. It then writes the offsets and leaves the group. Messages that are not
   * settled are neither acknowledged nor sent back: the next consumer of the queue finds each
   * there, once. A handler that outlives the time-out still finishes, and its mark is DONE. The
   * close ends within the drain time-out and ten seconds, whatever handlers, store and brokers do.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      attachment.drain();
      shutdown();
    }
  }

  /** Ends the client, on a thread of its own because brokers that are gone may hold it up. */
  private void shutdown() {
    Thread ending =
        new Thread(consumer::shutdown, "hapax-rocketmq-closing-" + consumer.getConsumerGroup());
    ending.setDaemon(true);
    ending.start();
    try {
      ending.join(LEAVING.toMillis());
      if (ending.isAlive()) {
        LOG.warn("The consumer of {} has not ended in {}", consumer.getConsumerGroup(), LEAVING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts a {@link RocketMqReceiver}. */
  public static final class Builder {

    private final IdempotentReceiver<MessageExt> receiver;
    private final DefaultMQPushConsumer consumer;
    private Duration drainTimeout = DRAIN_TIMEOUT;
    private boolean orderly;
    private boolean keepBatchSize;
    private Optional<RocketMqDeadLetterPublisher> deadLetters = Optional.empty();

    private Builder(IdempotentReceiver<MessageExt> receiver, DefaultMQPushConsumer consumer) {
      this.receiver = receiver;
      this.consumer = consumer;
    }

    /**
     * Keeps the order of each queue: a message that has to be tried again holds back those behind
     * it.
     *
     * @return this
     */
    public Builder orderly() {
      this.orderly = true;
      return this;
    }

    /**
     * Leaves {@code consumeMessageBatchMaxSize} of the consumer as it is. By default it is raised
     * from 1 to 32 if the receiver's handler takes one message at a time. Then up to 32 messages
     * share a call to the store.
     *
     * @return this
     */
    public Builder keepBatchSize() {
      this.keepBatchSize = true;
      return this;
    }

    /**
     * The receiver's dead-letter publisher, so that its topic is there, or made, before a message
     * is taken. Needed only if the receiver was given something around it: one that was handed to
     * the receiver itself is known.
     *
     * @param publisher the publisher that publishes the receiver's dead letters
     * @return this
     */
    public Builder deadLetters(RocketMqDeadLetterPublisher publisher) {
      this.deadLetters = Optional.of(publisher);
      return this;
    }

    /**
     * How long {@link RocketMqReceiver#close()} waits for running handlers. Default 20 s.
     *
     * @param timeout not negative
     * @return this
     */
    public Builder drainTimeout(Duration timeout) {
      this.drainTimeout = Durations.limit("drainTimeout", timeout);
      return this;
    }

    /**
     * Starts to receive. Whatever it throws, the consumer does not run afterwards, and handlers
     * that had begun were waited for; it cannot be started again, take a new one.
     *
     * @return a running receiver
     * @throws IllegalArgumentException if a setting of the consumer or of its group breaks its rule
     * @throws IllegalStateException if the dead-letter topic is missing and cannot be made
     * @throws MQClientException if the consumer cannot start, if the brokers or their name server
     *     do not answer, or if every broker refuses it. Also if the consumer is running already;
     *     then it continues
     */
    public RocketMqReceiver start() throws MQClientException {
      RocketMqAttachment attachment = attach();
      RocketMqReceiver started = new RocketMqReceiver(consumer, attachment);
      Starting.orEnd(
          () -> {
            consumer.start();
            attachment.check();
          },
          started::close);
      return started;
    }

    /**
     * Registers the listener with the consumer, without starting it. It is for a container that
     * starts and shuts down the consumer by itself.
     *
     * @return the attachment; the container calls it after the start and before the shutdown
     * @throws IllegalArgumentException if a setting of the consumer breaks its rule
     * @throws MQClientException if the consumer is running already; then it continues
     */
    public RocketMqAttachment attach() throws MQClientException {
      if (ClientInternals.isRunning(consumer)) {
        throw new MQClientException("the consumer runs already", null);
      }
      if (!keepBatchSize && !receiver.port().settings().handlesBatches()) {
        PushConsumerSettings.raiseBatchSize(consumer);
      }
      ListenerDispatcher dispatcher = listen();
      return new RocketMqAttachment(
          consumer,
          dispatcher,
          drainTimeout,
          () -> RocketMqDeadLetterPublisher.prepare(deadLetters, receiver));
    }

    private ListenerDispatcher listen() {
      if (orderly) {
        IdempotentOrderlyListener listener = IdempotentOrderlyListener.of(consumer, receiver);
        consumer.registerMessageListener(listener);
        return listener.dispatcher();
      }
      IdempotentConcurrentListener listener = IdempotentConcurrentListener.of(consumer, receiver);
      consumer.registerMessageListener(listener);
      return listener.dispatcher();
    }
  }
}
