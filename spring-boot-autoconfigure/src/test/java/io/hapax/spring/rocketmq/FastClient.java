package io.hapax.spring.rocketmq;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.spring.core.RocketMQPushConsumerLifecycleListener;

/** A listener that reads its topic from the beginning and finds the retry topic within a second. */
public interface FastClient extends RocketMQPushConsumerLifecycleListener {

  @Override
  default void prepareStart(DefaultMQPushConsumer consumer) {
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setPollNameServerInterval(1_000);
    consumer.setHeartbeatBrokerInterval(1_000);
    consumer.setMqClientApiTimeout(20_000); // a loaded machine is slow
  }
}
