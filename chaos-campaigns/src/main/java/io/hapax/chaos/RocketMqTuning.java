package io.hapax.chaos;

import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** The settings of RocketMQ's consumer in a run that kills its processes. */
final class RocketMqTuning {

  private static final int AT_ONCE = 32;

  /**
   * A deferred order returns behind all messages that the client has pulled and not handled yet.
   * With the client's default of 1,000 for each queue, this would be the longest part of a
   * recovery.
   */
  private static final int PULLED_OF_A_QUEUE = 128;

  private RocketMqTuning() {}

  /** Makes the settings of a consumer without Spring: one handler thread for each queue. */
  static void prepare(DefaultMQPushConsumer consumer) {
    prepareAny(consumer);
    consumer.setConsumeMessageBatchMaxSize(AT_ONCE);
    consumer.setConsumeThreadMin(OrderChannel.PARTITIONS);
    consumer.setConsumeThreadMax(OrderChannel.PARTITIONS);
  }

  static void prepareAny(DefaultMQPushConsumer consumer) {
    RocketMqClients.quick(consumer, consumer.getNamesrvAddr());
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setPullThresholdForQueue(PULLED_OF_A_QUEUE);
  }

  /** Returns whether a client failed because it reached no broker or name server. */
  static boolean isUnreached(Throwable e) {
    return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(RemotingException.class::isInstance);
  }
}
