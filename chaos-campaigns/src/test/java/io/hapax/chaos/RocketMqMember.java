package io.hapax.chaos;

import static org.awaitility.Awaitility.await;

import io.hapax.demo.Json;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** A member of a group on RocketMQ that performs the steps of a listener's client one by one. */
@SuppressWarnings("deprecation") // the only client that writes an offset without consuming
final class RocketMqMember implements AutoCloseable {

  private static final int AT_MOST = 1_000;

  private final DefaultMQPullConsumer consumer;
  private final Map<String, MessageExt> pulled = new HashMap<>();

  private RocketMqMember(DefaultMQPullConsumer consumer) {
    this.consumer = consumer;
  }

  static RocketMqMember join(OrderBroker broker, String group) throws MQClientException {
    DefaultMQPullConsumer consumer =
        RocketMqClients.quick(new DefaultMQPullConsumer(group), broker.address());
    consumer.start();
    return new RocketMqMember(consumer);
  }

  /** Pulls all messages of the topic, which the broker shows a moment after it has stored them. */
  void pull(int orders) {
    await().until(() -> {
      pull();
      return pulled.size() == orders;
    });
  }

  private void pull() throws Exception {
    for (MessageQueue queue : consumer.fetchSubscribeMessageQueues(OrderChannel.TOPIC)) {
      for (long offset = 0; offset < consumer.maxOffset(queue); ) {
        PullResult answer = consumer.pull(queue, "*", offset, AT_MOST);
        answer
            .getMsgFoundList()
            .forEach(
                message -> pulled.put(Json.read(message.getBody(), Order.class).id(), message));
        offset = answer.getNextBeginOffset();
      }
    }
  }

  /** Sends the message of an order back to the broker, and returns its name. */
  String sendBack(Order order, int delayLevel) throws Exception {
    MessageExt message = Objects.requireNonNull(pulled.get(order.id()));
    consumer.sendMessageBack(
        message, delayLevel, message.getBrokerName(), consumer.getConsumerGroup());
    return message.getMsgId();
  }

  /** Acknowledges the messages before the offset in each queue of the topic. */
  void commit(long offset) throws Exception {
    for (MessageQueue queue : consumer.fetchSubscribeMessageQueues(OrderChannel.TOPIC)) {
      consumer.pull(queue, "*", 0, 1); // the broker knows a group once it has read
      commit(queue, offset);
    }
  }

  /** Acknowledges the messages before the offset in its retry topic. */
  void commitRetries(long offset) throws Exception {
    commit(retries(), offset);
  }

  private void commit(MessageQueue queue, long offset) throws Exception {
    consumer
        .getDefaultMQPullConsumerImpl()
        .getOffsetStore()
        .updateConsumeOffsetToBroker(queue, offset, false);
  }

  /** Returns the number of messages that arrived in its retry topic. */
  long retried() throws MQClientException {
    return consumer.maxOffset(retries());
  }

  private MessageQueue retries() {
    return RocketMqRequests.queue("%RETRY%" + consumer.getConsumerGroup(), 0);
  }

  @Override
  public void close() {
    consumer.shutdown();
  }
}
