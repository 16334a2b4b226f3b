package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.chaos.OrderBroker.StoredMessage;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.Effect;
import io.hapax.demo.LedgerRow;
import io.hapax.demo.Mode;
import io.hapax.demo.Order;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Orders;
import io.hapax.demo.Shop;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcknowledgementsTest {

  private static final List<Order> ORDERS = Orders.generate(1, 20, 0).distinct();

  /** The delay level of {@link io.hapax.servers.LocalRocketMq}. */
  private static final int FOUR_MINUTES = 18;

  @TempDir
  private Path folder;

  @Test
  void only_an_acknowledged_message_without_an_effect_is_reported() throws Exception {
    try (OrderBroker broker = OrderBroker.start(BrokerKind.KAFKA, folder, GroupPlan.ALONE);
        CampaignStores stores = CampaignStores.open(CampaignStore.H2, folder)) {
      Acknowledgements acknowledgements =
          new Acknowledgements(broker, inspector(stores), Duration.ZERO);
      broker.publish(Poison.generate(1, 0).among(ORDERS));
      acknowledgements.check();
      assertThat(acknowledgements.result().messages()).isZero();

      applyEffects(stores, ORDERS.get(0));
      commitAll(broker);
      acknowledgements.check();

      assertThat(acknowledgements.result().checks()).isEqualTo(2);
      assertThat(acknowledgements.result().messages()).isEqualTo(20);
      assertThat(acknowledgements.violations())
          .containsExactlyInAnyOrderElementsOf(
              ORDERS.stream().skip(1).map(AcknowledgementsTest::premature).toList());
    }
  }

  /** Checks repeatedly, while the copies move from the schedule to the retry topic. */
  @Test
  void a_sent_back_message_is_not_premature_an_only_acknowledged_one_is() throws Exception {
    List<Order> sentBack = ORDERS.subList(0, 18);
    try (OrderBroker broker = OrderBroker.start(BrokerKind.ROCKETMQ, folder, GroupPlan.ALONE);
        RocketMqMember member = RocketMqMember.join(broker, OrderChannel.GROUP);
        CampaignStores stores = CampaignStores.open(CampaignStore.H2, folder)) {
      StoreInspector inspector = inspector(stores);
      broker.publish(Poison.generate(1, 0).among(ORDERS));
      applyEffects(stores, ORDERS.get(18));
      applyEffects(stores, ORDERS.get(19));
      sendBack(member, sentBack);
      member.commit(ORDERS.size());
      Acknowledgements repeated = new Acknowledgements(broker, inspector, Acknowledgements.TIMEOUT);
      do {
        repeated.check();
      } while (member.retried() < sentBack.size());
      repeated.check();
      assertThat(repeated.violations()).isEmpty();
      assertThat(repeated.result().checks()).isGreaterThan(2);
      assertThat(repeated.result().waiting()).isEqualTo(repeated.result().checks() * 18L);

      member.commitRetries(1);

      Acknowledgements last = new Acknowledgements(broker, inspector, Duration.ZERO);
      last.check();
      assertThat(last.violations())
          .singleElement()
          .isIn(sentBack.stream().map(AcknowledgementsTest::premature).toList());
    }
  }

  @Test
  void a_message_does_not_wait_for_a_retry_because_another_of_its_order_does() throws Exception {
    Order twice = ORDERS.get(0);
    try (OrderBroker broker = OrderBroker.start(BrokerKind.ROCKETMQ, folder, GroupPlan.ALONE);
        RocketMqMember member = RocketMqMember.join(broker, OrderChannel.GROUP);
        CampaignStores stores = CampaignStores.open(CampaignStore.H2, folder)) {
      broker.publish(Poison.generate(1, 0).among(List.of(twice, twice)));
      member.pull(1);
      String name = member.sendBack(twice, FOUR_MINUTES);
      member.commit(2);
      await().atMost(Duration.ofSeconds(30)).until(broker::waiting, Set.of(name)::equals);
      Acknowledgements acknowledgements =
          new Acknowledgements(broker, inspector(stores), Duration.ZERO);

      acknowledgements.check();

      assertThat(acknowledgements.result().waiting()).isEqualTo(1);
      assertThat(acknowledgements.violations()).containsExactly(premature(twice));
    }
  }

  /** RocketMQ stores batches: the broker returns the offset of the first message only. */
  @Test
  void the_first_of_each_queue_lie_in_front_of_an_offset_and_no_others() throws Exception {
    try (OrderBroker broker = OrderBroker.start(BrokerKind.ROCKETMQ, folder, GroupPlan.ALONE);
        RocketMqMember member = RocketMqMember.join(broker, OrderChannel.GROUP)) {
      broker.publish(Poison.generate(1, 0).among(ORDERS));
      assertThat(broker.acknowledged()).isEmpty();

      member.commit(2);

      Map<Integer, List<Order>> queues = ORDERS.stream()
          .collect(Collectors.groupingBy(
              order -> Math.floorMod(order.customer().hashCode(), OrderChannel.PARTITIONS)));
      assertThat(broker.acknowledged())
          .extracting(StoredMessage::order)
          .containsExactlyInAnyOrderElementsOf(queues.values().stream()
              .flatMap(queue -> queue.stream().limit(2))
              .map(Order::id)
              .toList());
    }
  }

  /** After 1, 1, 1, 2, 3 and 4 seconds, in turn. */
  private static void sendBack(RocketMqMember member, List<Order> orders) throws Exception {
    member.pull(ORDERS.size());
    int level = 0;
    for (Order order : orders) {
      member.sendBack(order, level++ % 6 + 1);
    }
  }

  private static String premature(Order order) {
    return order.id() + " was acknowledged before it had an effect or a dead letter";
  }

  private static StoreInspector inspector(CampaignStores stores) {
    return new StoreInspector(stores, MarkIds.PLAIN, true, Mode.LEASED);
  }

  private static void applyEffects(CampaignStores stores, Order order) throws Exception {
    try (Connection connection = stores.connect()) {
      Shop.apply(connection, List.of(new Effect(order, new LedgerRow(order.id(), 1, 1, false, 1))));
    }
  }

  private static void commitAll(OrderBroker broker) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> ends = IntStream.range(0, OrderChannel.PARTITIONS)
        .boxed()
        .collect(Collectors.toMap(
            number -> new TopicPartition(OrderChannel.TOPIC, number),
            number -> new OffsetAndMetadata(ORDERS.size())));
    try (Admin admin = Admin.create(
        Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address()))) {
      admin.alterConsumerGroupOffsets(OrderChannel.GROUP, ends).all().get();
    }
  }
}
