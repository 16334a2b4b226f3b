package io.hapax.rocketmq;

import io.hapax.health.Problem;
import io.hapax.rocketmq.internal.Starting;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a receiver with a push consumer that a container starts and shuts down, for example one
 * of Spring. Made by {@link RocketMqReceiver.Builder#attach()}.
 *
 * <p>The container calls {@link #requireSafeGroup()} after it has started the consumer, and
 * {@link #drain()} before it shuts the consumer down. Then the consumer behaves as with
 * {@link RocketMqReceiver}. A container that omits the first call loses no message: while a check
 * fails, no message is answered. One that omits the second call shuts down while messages wait for
 * their handlers; these messages are redelivered.
 *
 * <p>All methods are thread-safe.
 */
public final class RocketMqAttachment {

  private static final Logger LOG = LoggerFactory.getLogger(RocketMqAttachment.class);

  /** How long the client waits for its threads once the drain time-out has expired. */
  private static final Duration STRAGGLERS = Duration.ofSeconds(1);

  private final DefaultMQPushConsumer consumer;
  private final ListenerDispatcher dispatcher;
  private final Duration drainTimeout;
  private final Starting.Steps deadLetterCheck;

  RocketMqAttachment(
      DefaultMQPushConsumer consumer,
      ListenerDispatcher dispatcher,
      Duration drainTimeout,
      Starting.Steps deadLetterCheck) {
    this.consumer = consumer;
    this.dispatcher = dispatcher;
    this.drainTimeout = drainTimeout;
    this.deadLetterCheck = deadLetterCheck;
  }

  /**
   * Queries the brokers for settings of the group that lose messages, and creates the dead-letter
   * topic if it is missing. Call it after the consumer was started. If it throws, shut the consumer
   * down.
   *
   * @throws IllegalArgumentException if the brokers drop messages that are sent back, or none knows
   *     the group
   * @throws IllegalStateException if the dead-letter topic is missing and cannot be created
   * @throws MQClientException if the brokers or their name server do not answer, or if every broker
   *     refuses the group
   */
  public void requireSafeGroup() throws MQClientException {
    Starting.orEnd(this::check, () -> {});
  }

  void check()
      throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
    dispatcher.requireSafeGroup();
    deadLetterCheck.take();
  }

  /**
   * Stops the intake, gives up messages that have not started, and waits for running handlers up to
   * the drain time-out. A handler that outlives it still finishes, but a shutdown of the consumer
   * does not wait for it again. Messages that are not settled are neither acknowledged nor sent
   * back. After this call the consumer only has to be shut down.
   */
  public void drain() {
    consumer.suspend();
    if (!dispatcher.drain(drainTimeout)) {
      LOG.warn(
          "Handlers of group {} still run after {}: their messages are redelivered, as duplicates"
              + " if the handlers finish",
          consumer.getConsumerGroup(),
          drainTimeout);
      consumer.setAwaitTerminationMillisWhenShutdown( // they were waited for
          Math.min(consumer.getAwaitTerminationMillisWhenShutdown(), STRAGGLERS.toMillis()));
    }
  }

  /** {@return the problems that {@link IdempotentConcurrentListener#problems} lists} */
  public List<Problem> problems() {
    return dispatcher.problems();
  }
}
