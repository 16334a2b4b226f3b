package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PublicationTest {

  private static final List<Order> ORDERS = Orders.generate(1, 100, 0).published();

  @Test
  void without_stops_all_orders_are_sent_at_once() {
    assertThat(Publication.portions(ORDERS, new Faults(3, 0, 2, 1))).containsExactly(ORDERS);
  }

  @Test
  void each_stop_finds_orders_of_its_own_and_what_is_left_comes_after_the_last() {
    List<List<Order>> portions = Publication.portions(ORDERS, new Faults(1, 2, 1, 0));

    assertThat(portions).extracting(List::size).containsExactly(40, 20, 40);
    assertThat(portions.stream().flatMap(List::stream)).containsExactlyElementsOf(ORDERS);
  }
}
