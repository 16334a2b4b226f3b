package io.hapax.rocketmq.grpc;

import io.hapax.DeadLetterPublisher;
import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.ReceiverBuilder;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.MessageListener;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener for a push consumer that lets each message take effect once, whoever handles it: a
 * listener that its user has already, or a receiver with a handler. Experimental.
 *
 * <pre>{@code
 * provider.newPushConsumerBuilder()
 *     .setMessageListener(IdempotentMessageListener.wrap("order-service", store, yourListener))
 * }</pre>
 *
 * <p>{@code SUCCESS} is answered only for a message that is settled: its mark is DONE, or it is a
 * dead letter whose record was acknowledged. A process that dies before that leaves a message which
 * the proxy hands out again, once it is no longer hidden, and a mark which its next owner takes
 * over when the lease is over; one that dies after it, a message that comes again and is known.
 *
 * <p>A message that cannot run now, because another handles it or its backoff is not over or the
 * store is down, is kept on the client's thread and handed in again, up to the {@code holdLimit}.
 * The proxy keeps hiding it from others meanwhile (for 3 h at most, {@code renewMaxTimeMillis}),
 * and it costs no delivery. Only beyond that limit {@code FAILURE} is answered. It says nothing of
 * when: this client has no other answer, and asks the proxy to hide the message for the backoff
 * that the <em>group</em> is configured with ({@code groupRetryPolicy}), whatever the receiver's
 * is. Each one costs a delivery of those that the broker allows ({@code retryMaxTimes} of the
 * group, 16 by default); after the last the proxy moves the message to the group's own dead-letter
 * topic, and its mark is left as it is. How often a message is <em>tried</em> is the receiver's to
 * say. Give the group a {@code retryMaxTimes} of 1000 ({@code mqadmin updateSubGroup -r 1000}) and
 * tell it to the {@link #builder}. When the last deliveries are near, the log warns and
 * {@link #trouble()} says so.
 *
 * <p>What the client (5.2.0) does around a listener:
 *
 * <ul>
 *   <li>An acknowledgement that fails is sent again each second, until the proxy takes it or calls
 *       its handle invalid. The message then comes again, is known and is not run.
 *   <li>A message whose body is corrupted never comes here. The client gives it back as if it had
 *       failed, or, of a FIFO group, moves it to the group's dead letters.
 *   <li>A FIFO group's message that failed is handed in again by the client itself, after the
 *       group's backoff; it counts as a delivery too. Those behind it wait.
 *   <li>{@code close()} of the consumer waits without a bound until all that it has fetched was
 *       handled, and then one second for acknowledgements. It interrupts nobody.
 * </ul>
 *
 * <p>So close the consumer first, and then this, if what is fetched shall be handled; it costs no
 * deliveries. Close this first to be quick: what has not started is answered {@code FAILURE}, now
 * and later. While the store is down a closing consumer waits up to the {@code holdLimit} for each
 * message that it fetched, so close this first then.
 *
 * <p>Thread-safe. A thread that is interrupted gives up what has not started, answers
 * {@code FAILURE} and stays interrupted.
 */
public final class IdempotentMessageListener implements MessageListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentMessageListener.class);

  /** As many threads as a push consumer has unless it is told. */
  private static final int THREADS = 20;

  private final IdempotentReceiver<MessageView> receiver;
  private final CallerHold hold;
  private final BrokerAttempts attempts;
  private final Runnable ending;

  private IdempotentMessageListener(Builder builder, Runnable ending) {
    this.receiver = builder.receiver;
    this.hold = new CallerHold(receiver, builder.holdLimit);
    this.attempts = BrokerAttempts.of(builder.retryMaxTimes);
    this.ending = ending;
  }

  /**
   * Wraps a listener, with the settings that fit most: the consumer name is the name of the group,
   * ids are {@link RocketMqGrpcIds#standard()}, bodies are compared, and as many messages run at
   * once as a push consumer has threads by default. Nobody publishes dead letters: a message whose
   * attempts are exhausted is answered {@code FAILURE} until the broker moves it to the group's own
   * dead-letter topic.
   *
   * @param group the consumer's group
   * @param store where marks are kept; stays open
   * @param listener the listener; it is handed only messages that may run
   * @return a listener for that group's consumer
   */
  public static IdempotentMessageListener wrap(
      String group, DedupStore store, MessageListener listener) {
    return owning(standard(group).leased(store, handler(listener)));
  }

  /**
   * Wraps a listener, like {@link #wrap(String, DedupStore, MessageListener)}, with dead letters.
   *
   * @param group the consumer's group
   * @param store where marks are kept; stays open
   * @param listener the listener; it is handed only messages that may run
   * @param deadLetters who publishes messages whose attempts are exhausted, for example
   *     {@link RocketMqGrpcDeadLetterPublisher}
   * @return a listener for that group's consumer
   */
  public static IdempotentMessageListener wrap(
      String group,
      DedupStore store,
      MessageListener listener,
      DeadLetterPublisher<MessageView> deadLetters) {
    return owning(standard(group).deadLetters(deadLetters).leased(store, handler(listener)));
  }

  private static ReceiverBuilder<MessageView> standard(String group) {
    return IdempotentReceiver.<MessageView>builder(group)
        .id(RocketMqGrpcIds.standard())
        .fingerprint(RocketMqGrpcFingerprints.body())
        .workers(THREADS);
  }

  private static IdempotentMessageListener owning(IdempotentReceiver<MessageView> receiver) {
    return new IdempotentMessageListener(new Builder(receiver), receiver::close);
  }

  /**
   * A listener for a receiver.
   *
   * @param receiver the receiver; stays open. Handlers run on its workers, and the client's threads
   *     only wait for them, so it needs as many
   * @return a listener
   */
  public static IdempotentMessageListener of(IdempotentReceiver<MessageView> receiver) {
    return builder(receiver).build();
  }

  /**
   * Starts a builder.
   *
   * @param receiver the receiver; stays open
   * @return a builder
   */
  public static Builder builder(IdempotentReceiver<MessageView> receiver) {
    return new Builder(receiver);
  }

  /**
   * A listener as a handler, for a receiver with settings of its own.
   *
   * <p>The listener is called on the receiver's workers, never on a thread of the client, and for
   * as many messages at once as there are workers. Its answer acknowledges nothing: after
   * {@code SUCCESS} the message is marked DONE and, after that, may be acknowledged. Any other
   * answer, and whatever the listener throws, is an attempt that failed: the effect is in doubt,
   * unless it was a {@link io.hapax.NotAppliedException}, and the receiver's settings say how often
   * and after which backoff the message is tried again. A crash between the effect and the DONE
   * mark leaves the effect in doubt, too.
   *
   * @param listener the listener
   * @return a handler that fails where the listener does not answer success
   */
  public static MessageHandler<MessageView> handler(MessageListener listener) {
    return delivery -> {
      ConsumeResult result = listener.consume(delivery.message());
      if (result != ConsumeResult.SUCCESS) {
        throw new ListenerFailedException("the listener answered " + result);
      }
    };
  }

  @Override
  public ConsumeResult consume(MessageView message) {
    attempts.delivered(message);
    try {
      if (hold.settles(message)) {
        attempts.acknowledged(message);
        return ConsumeResult.SUCCESS;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException closed) {
      LOG.warn(
          "Message {} comes again: {}", ClientMessages.coordinates(message), closed.toString());
    }
    return ConsumeResult.FAILURE;
  }

  /**
   * Why nothing moves, or is about to be lost from sight.
   *
   * @return empty while all is well; otherwise the reason, for people and for health checks
   */
  public Optional<String> trouble() {
    return Troubles.joined(Stream.of(attempts.trouble(), receiver.trouble()));
  }

  /**
   * Answers {@code FAILURE} for what has not started and for all that comes later. A running
   * handler finishes, and its message is answered as it ends. Ends the receiver that {@link #wrap}
   * made, which waits for running handlers up to its drain time-out.
   */
  @Override
  public void close() {
    hold.end();
    ending.run();
  }

  /** Makes an {@link IdempotentMessageListener}. */
  public static final class Builder {

    private final IdempotentReceiver<MessageView> receiver;
    private Duration holdLimit;
    private int retryMaxTimes;

    private Builder(IdempotentReceiver<MessageView> receiver) {
      this.receiver = receiver;
      this.holdLimit = receiver.lease().lease().plus(CallerHold.TO_START);
      this.retryMaxTimes = Math.max(BrokerAttempts.DEFAULT, receiver.retry().maxAttempts());
    }

    /**
     * How long a message that cannot run now is kept on the client's thread. Default: the lease and
     * five seconds more, because a message whose consumer died is busy for the rest of its lease at
     * most, so it costs no delivery, and because whoever waits longer keeps one of the consumer's
     * threads (20 by default) from other messages.
     *
     * @param limit not negative; zero keeps none, but each gets five seconds to start
     * @return this
     */
    public Builder holdLimit(Duration limit) {
      if (limit.isNegative()) {
        throw new IllegalArgumentException("holdLimit is " + limit + " but must not be negative");
      }
      this.holdLimit = Limits.countable(limit);
      return this;
    }

    /**
     * What the group's {@code retryMaxTimes} is, which a client cannot ask for. Default 16, which
     * is RocketMQ's own.
     *
     * @param times not less than the receiver's {@code maxAttempts}
     * @return this
     */
    public Builder retryMaxTimes(int times) {
      this.retryMaxTimes = BrokerAttempts.atLeast(receiver.retry().maxAttempts(), times);
      return this;
    }

    /**
     * Makes the listener.
     *
     * @return a listener
     */
    public IdempotentMessageListener build() {
      return new IdempotentMessageListener(this, () -> {});
    }
  }
}
