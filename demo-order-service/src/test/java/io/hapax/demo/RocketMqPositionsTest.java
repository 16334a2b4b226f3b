package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which orders lie in front of the group's offsets on RocketMQ, where they are sent in batches. */
class RocketMqPositionsTest {

  private static final List<Order> ORDERS = Orders.generate(1, 40, 0).distinct();
  private static final int HANDLED = 2;

  @TempDir
  private Path folder;

  @Test
  void the_first_of_each_queue_lie_in_front_of_an_offset_and_no_others() throws Exception {
    try (OrderBroker broker = BrokerKind.ROCKETMQ.start(folder)) {
      broker.publish(Poison.brew(1, 0).among(ORDERS));
      assertThat(broker.acknowledged()).isEmpty();

      commit(broker, HANDLED);

      assertThat(broker.acknowledged()).containsExactlyInAnyOrderElementsOf(firstOfEachQueue());
    }
  }

  private static List<String> firstOfEachQueue() {
    Map<Integer, List<Order>> queues = ORDERS.stream()
        .collect(Collectors.groupingBy(
            order -> Math.floorMod(order.customer().hashCode(), OrderBroker.PARTITIONS)));
    return queues.values().stream()
        .flatMap(queue -> queue.stream().limit(HANDLED))
        .map(Order::id)
        .toList();
  }

  @SuppressWarnings("deprecation") // the only client that writes an offset without consuming
  private static void commit(OrderBroker broker, long offset) throws Exception {
    DefaultMQPullConsumer consumer =
        RocketMqClients.quick(new DefaultMQPullConsumer(OrderBroker.GROUP), broker.address());
    consumer.start();
    try {
      OffsetStore offsets = consumer.getDefaultMQPullConsumerImpl().getOffsetStore();
      for (MessageQueue queue : consumer.fetchSubscribeMessageQueues(OrderBroker.TOPIC)) {
        consumer.pull(queue, "*", 0, 1); // a group is known to the broker once it has read
        offsets.updateConsumeOffsetToBroker(queue, offset, false);
      }
    } finally {
      consumer.shutdown();
    }
  }
}
