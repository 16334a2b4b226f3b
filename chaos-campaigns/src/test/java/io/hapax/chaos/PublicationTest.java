package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.Order;
import io.hapax.demo.Orders;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublicationTest {

  private static final List<Order> ORDERS = Orders.generate(1, 100, 0).published();

  @Test
  void for_kills_alone_all_orders_are_sent_at_once() {
    assertThat(Publication.portions(ORDERS, FaultPlan.kills(3))).containsExactly(ORDERS);
  }

  @Test
  void each_blow_finds_orders_of_its_own_and_the_kills_what_is_left() {
    List<List<Order>> portions = Publication.portions(ORDERS, new FaultPlan(1, 2, 1, 0));

    assertThat(portions).extracting(List::size).containsExactly(20, 20, 20, 40);
    assertThat(portions.stream().flatMap(List::stream)).containsExactlyElementsOf(ORDERS);
  }
}
