package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OrdersTest {

  @Test
  void the_same_seed_gives_the_same_orders() {
    assertThat(Orders.generate(7, 200, 0.2)).isEqualTo(Orders.generate(7, 200, 0.2));
    assertThat(Orders.generate(7, 200, 0.2)).isNotEqualTo(Orders.generate(8, 200, 0.2));
  }

  @Test
  void ids_are_distinct() {
    assertThat(Orders.generate(1, 500, 0.5).distinct())
        .extracting(Order::id)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_share_of_the_orders_is_published_twice() {
    Orders orders = Orders.generate(1, 500, 0.2);

    assertThat(orders.published()).hasSize(600);
    assertThat(orders.published()).hasSameElementsAs(orders.distinct());
  }

  @Test
  void no_share_publishes_each_order_once_and_a_full_share_each_twice() {
    assertThat(Orders.generate(1, 10, 0).published()).hasSize(10);
    assertThat(Orders.generate(1, 10, 1).published()).hasSize(20);
  }

  @Test
  void an_order_survives_its_json() {
    Order order = Orders.generate(3, 1, 0).distinct().get(0);

    assertThat(Json.read(Json.write(order), Order.class)).isEqualTo(order);
  }
}
