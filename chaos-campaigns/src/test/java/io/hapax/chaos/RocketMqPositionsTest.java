package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which orders are before the group's offsets on RocketMQ, where they are sent in batches.
 */
class RocketMqPositionsTest {

  private static final List<Order> ORDERS = Orders.generate(1, 40, 0).distinct();
  private static final int HANDLED = 2;

  @TempDir
  private Path folder;

  @Test
  void the_first_of_each_queue_lie_in_front_of_an_offset_and_no_others() throws Exception {
    try (OrderBroker broker = OrderBroker.start(BrokerKind.ROCKETMQ, folder, GroupPlan.ALONE);
        RocketMqMember member = RocketMqMember.join(broker, OrderChannel.GROUP)) {
      broker.publish(Poison.generate(1, 0).among(ORDERS));
      assertThat(broker.acknowledged()).isEmpty();

      member.commit(HANDLED);

      assertThat(broker.acknowledged())
          .extracting(StoredMessage::order)
          .containsExactlyInAnyOrderElementsOf(firstOfEachQueue());
    }
  }

  private static List<String> firstOfEachQueue() {
    Map<Integer, List<Order>> queues = ORDERS.stream()
        .collect(Collectors.groupingBy(
            order -> Math.floorMod(order.customer().hashCode(), OrderChannel.PARTITIONS)));
    return queues.values().stream()
        .flatMap(queue -> queue.stream().limit(HANDLED))
        .map(Order::id)
        .toList();
  }
}
