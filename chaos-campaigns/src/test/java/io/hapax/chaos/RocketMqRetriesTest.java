package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which orders wait on RocketMQ for a retry. */
@Timeout(90)
class RocketMqRetriesTest {

  private static final Duration BOUND = Duration.ofSeconds(30);

  /** The delay level of {@link io.hapax.servers.LocalRocketMq}. */
  private static final int ONE_SECOND = 1;

  private static final int FOUR_MINUTES = 18;

  private static final List<Order> ORDERS = Orders.generate(1, 3, 0).distinct();
  private static final Order SOON = ORDERS.get(0);
  private static final Order LATER = ORDERS.get(1);
  private static final Order OF_A_STRANGER = ORDERS.get(2);

  @TempDir
  private Path folder;

  @Test
  void a_copy_waits_in_the_schedule_and_the_retry_topic_until_it_is_consumed() throws Exception {
    try (OrderBroker broker = OrderBroker.start(BrokerKind.ROCKETMQ, folder, GroupPlan.ALONE);
        RocketMqMember member = RocketMqMember.join(broker, OrderChannel.GROUP);
        RocketMqMember stranger = RocketMqMember.join(broker, "stranger")) {
      broker.publish(Poison.generate(1, 0).among(ORDERS));
      member.pull(ORDERS.size());
      stranger.pull(ORDERS.size());
      assertThat(broker.waiting()).isEmpty();

      stranger.sendBack(OF_A_STRANGER, FOUR_MINUTES);
      String later = member.sendBack(LATER, FOUR_MINUTES);
      String soon = member.sendBack(SOON, ONE_SECOND);
      await().atMost(BOUND).until(broker::waiting, Set.of(soon, later)::equals);

      await().atMost(BOUND).until(() -> member.retried() == 1);
      assertThat(broker.waiting()).containsExactlyInAnyOrder(soon, later);

      member.commitRetries(1);
      assertThat(broker.waiting()).containsExactly(later);
    }
  }
}
