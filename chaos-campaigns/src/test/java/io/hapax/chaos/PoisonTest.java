package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.chaos.OrderBroker.DeadOrder;
import io.hapax.chaos.Posting.Flaw;
import io.hapax.demo.Json;
import io.hapax.demo.Order;
import io.hapax.demo.Orders;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoisonTest {

  private static final Poison POISON = Poison.generate(1, 3);
  private static final DeadOrder REFUSED = new DeadOrder("poison-1-0", "ATTEMPTS_EXHAUSTED");
  private static final DeadOrder TORN = new DeadOrder("poison-1-1", "NOT_RETRYABLE");
  private static final DeadOrder NAMELESS = new DeadOrder("poison-1-2", "MISSING_ID");

  @Test
  void each_flaw_has_its_turn() {
    assertThat(Poison.generate(1, 5).postings())
        .extracting(Posting::flaw)
        .containsExactly(
            Flaw.UNKNOWN_ARTICLE, Flaw.TORN, Flaw.NO_ID, Flaw.UNKNOWN_ARTICLE, Flaw.TORN);
    assertThat(POISON.withoutId()).isEqualTo(1);
  }

  @Test
  void a_torn_message_is_no_order_and_one_without_an_id_is() {
    Posting torn = POISON.postings().get(1);
    Posting nameless = POISON.postings().get(2);

    assertThatThrownBy(() -> Json.read(torn.body(), Order.class))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(torn.id()).contains("poison-1-1");
    assertThat(Json.read(nameless.body(), Order.class)).isEqualTo(nameless.order());
    assertThat(nameless.id()).isEmpty();
  }

  @Test
  void poison_lies_among_the_orders_and_changes_nothing_of_them() {
    List<Order> orders = Orders.generate(1, 60, 0).published();

    List<Posting> all = POISON.among(orders);

    assertThat(all).hasSize(63);
    assertThat(List.of(all.get(10), all.get(31), all.get(52)))
        .containsExactlyElementsOf(POISON.postings());
    assertThat(all.stream().filter(each -> each.flaw() == Flaw.NONE).map(Posting::order))
        .containsExactlyElementsOf(orders);
    assertThat(Poison.generate(1, 0).among(orders)).hasSize(60);
  }

  @Test
  void each_must_be_dead_lettered_as_what_it_is() {
    assertThat(POISON.violations(List.of(REFUSED, TORN, NAMELESS), 1)).isEmpty();
    assertThat(POISON.violations(List.of(REFUSED, REFUSED, TORN, NAMELESS), 1)).isEmpty();
    assertThat(POISON.violations(List.of(TORN, NAMELESS), 1))
        .containsExactly("poison-1-0 was dead-lettered 0 times, but must be at least 1 times");
    assertThat(POISON.violations(
            List.of(new DeadOrder("poison-1-0", "NOT_RETRYABLE"), TORN, NAMELESS), 1))
        .containsExactly(
            "poison-1-0 was dead-lettered as NOT_RETRYABLE, not as ATTEMPTS_EXHAUSTED");
  }

  @Test
  void one_without_an_id_must_be_dead_lettered_whenever_it_is_read() {
    assertThat(POISON.violations(List.of(REFUSED, TORN, NAMELESS), 2))
        .containsExactly("poison-1-2 was dead-lettered 1 times, but must be at least 2 times");
    assertThat(POISON.violations(List.of(REFUSED, TORN, NAMELESS, NAMELESS), 2)).isEmpty();
  }

  @Test
  void an_order_that_is_dead_lettered_is_a_violation() {
    List<DeadOrder> dead =
        List.of(REFUSED, TORN, NAMELESS, NAMELESS, new DeadOrder("order-1-000001", "CONFLICT"));

    assertThat(POISON.violations(dead, 2))
        .containsExactly("order-1-000001 was dead-lettered as CONFLICT, although it is no poison");
    assertThat(POISON.deadLettered(dead)).isEqualTo(3);
  }
}
