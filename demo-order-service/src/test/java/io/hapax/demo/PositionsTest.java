package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionsTest {

  @Test
  void what_lies_in_front_of_the_offset_of_its_own_partition_is_acknowledged() {
    List<Order> orders = Orders.generate(1, 4, 0).distinct();
    Positions positions = new Positions();
    positions.add(new Posting(orders.get(0), Flaw.NONE), 0, 0);
    positions.add(new Posting(orders.get(1), Flaw.NONE), 0, 1);
    positions.add(new Posting(orders.get(2), Flaw.NO_ID), 1, 0);
    positions.add(new Posting(orders.get(3), Flaw.NONE), 2, 0);

    assertThat(positions.before(Map.of(0, 1L, 1, 1L)))
        .containsExactly(orders.get(0).id(), orders.get(2).id());
  }
}
