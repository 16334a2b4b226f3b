package io.hapax.rocketmq;

import io.hapax.LeaseSettings;
import java.time.Duration;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings of a consumer with which messages are lost, or run more often than they have to. */
final class ConsumerSettings {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerSettings.class);
  private static final int UNSET = -1;
  private static final int ENOUGH = 1_000;
  private static final Duration FOR_HANDLERS = Duration.ofSeconds(20);

  private ConsumerSettings() {}

  /**
   * Refuses what loses messages and sets what was left open: {@code maxReconsumeTimes}, because the
   * broker counts every deferral, and the time that a shutdown waits for handlers.
   *
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  static void prepare(DefaultMQPushConsumer consumer, LeaseSettings lease) {
    if (consumer.getMessageModel() == MessageModel.BROADCASTING) {
      throw new IllegalArgumentException("messageModel is BROADCASTING but must be CLUSTERING: all"
          + " instances would share their marks, and the client drops what fails");
    }
    if (!consumer.isClientRebalance()) {
      throw new IllegalArgumentException("clientRebalance is false but must be true: in POP mode"
          + " the client neither renews its hold on a message nor tells that it lost it");
    }
    requireRetries(consumer);
    Duration timeout = Duration.ofMinutes(consumer.getConsumeTimeout());
    if (timeout.compareTo(lease.lease().multipliedBy(2)) < 0) {
      LOG.warn(
          "consumeTimeout of group {} is {} but should be at least twice the lease {}: the client"
              + " sends a message back that is handled for longer, and its copy finds it busy",
          consumer.getConsumerGroup(),
          timeout,
          lease.lease());
    }
    if (consumer.getAwaitTerminationMillisWhenShutdown() == 0) {
      consumer.setAwaitTerminationMillisWhenShutdown(FOR_HANDLERS.toMillis());
    }
  }

  private static void requireRetries(DefaultMQPushConsumer consumer) {
    int times = consumer.getMaxReconsumeTimes();
    if (times == UNSET) {
      consumer.setMaxReconsumeTimes(Integer.MAX_VALUE);
    } else if (times < ENOUGH) {
      throw new IllegalArgumentException(
          "maxReconsumeTimes is " + times + " but must be unset or at"
              + " least " + ENOUGH + ": the broker counts each deferral of a busy message too, and"
              + " then dead-letters it behind its mark's back. How often a message that fails is tried"
              + " is said by the receiver's retry settings");
    }
  }
}
