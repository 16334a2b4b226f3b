package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
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

  @TempDir
  private Path folder;

  @Test
  void what_is_acknowledged_without_an_effect_is_told_and_what_is_not_acknowledged_is_not()
      throws Exception {
    try (OrderBroker broker = BrokerKind.KAFKA.start(folder);
        ShopDatabase database = ShopDatabase.open(ShopKind.H2, folder);
        MarkServers servers = MarkServers.start(StoreKind.H2)) {
      Acknowledgements acknowledgements =
          new Acknowledgements(broker, new LeftBehind(database, servers));
      broker.publish(Poison.brew(1, 0).among(ORDERS));
      acknowledgements.look();
      assertThat(acknowledgements.looks()).isZero();

      takeIntoEffect(database, ORDERS.get(0));
      commitAll(broker);
      acknowledgements.look();

      assertThat(acknowledgements.looks()).isEqualTo(20);
      assertThat(acknowledgements.premature())
          .containsExactlyInAnyOrderElementsOf(
              ORDERS.stream().skip(1).map(Order::id).collect(Collectors.toSet()));
      assertThat(acknowledgements.faults())
          .contains(
              ORDERS.get(1).id() + " was acknowledged before it had an effect or a dead letter");
    }
  }

  private static void takeIntoEffect(ShopDatabase database, Order order) throws Exception {
    try (Connection connection = database.connect()) {
      Shop.apply(connection, List.of(new Effect(order, new LedgerRow(order.id(), 1, 1, false, 1))));
    }
  }

  private static void commitAll(OrderBroker broker) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> ends = IntStream.range(0, OrderBroker.PARTITIONS)
        .boxed()
        .collect(Collectors.toMap(
            number -> new TopicPartition(OrderBroker.TOPIC, number),
            number -> new OffsetAndMetadata(ORDERS.size())));
    try (Admin admin = Admin.create(
        Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address()))) {
      admin.alterConsumerGroupOffsets(OrderBroker.GROUP, ends).all().get();
    }
  }
}
