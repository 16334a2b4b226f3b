package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.LedgerRow;
import io.hapax.demo.Order;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceTest {

  private final Sequence sequence =
      new Sequence(List.of(order("a", "ann"), order("b", "bob"), order("c", "ann")));

  @Test
  void orders_of_different_customers_may_overtake_each_other() {
    assertThat(sequence.broken(ledger("b", "a", "c"))).isEmpty();
  }

  @Test
  void an_order_overtaken_by_one_of_the_same_customer_is_a_violation() {
    assertThat(sequence.broken(ledger("c", "b", "a")))
        .containsExactly("a took effect after c, which ann ordered later");
  }

  @Test
  void a_repeat_counts_where_it_took_effect_first() {
    assertThat(sequence.broken(ledger("a", "b", "c", "a"))).isEmpty();
  }

  @Test
  void what_was_never_published_is_not_judged() {
    assertThat(sequence.broken(ledger("c", "x"))).isEmpty();
  }

  private static Order order(String id, String customer) {
    return new Order(id, customer, List.of(), 1);
  }

  private static List<LedgerRow> ledger(String... orders) {
    return Arrays.stream(orders).map(id -> new LedgerRow(id, 1, 1, false, 1)).toList();
  }
}
