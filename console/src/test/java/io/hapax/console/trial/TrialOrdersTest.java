package io.hapax.console.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialOrdersTest {

  private static TrialOrders orders(int count) {
    return TrialOrders.of(IntStream.range(0, count)
        .mapToObj(it -> new TrialOrder("order-" + it, it % 2, 2, true))
        .toList());
  }

  @ParameterizedTest
  @CsvSource({"120, 0", "121, 20", "140, 20", "141, 40"})
  void all_orders_count_and_the_newest_keep_their_places(int count, int first) {
    assertThat(orders(count).newest())
        .hasSize(count - first)
        .first()
        .extracting(TrialOrder::id)
        .isEqualTo("order-" + first);
    assertThat(orders(count).loop()).isEqualTo(new TrialTotals(count, 0, count, 0));
    assertThat(orders(count).hapax().waiting()).isEqualTo((count + 1) / 2);
  }

  @Test
  void repeats_are_explained_if_all_of_them_are() {
    TrialOrder explained = new TrialOrder("a", 2, 1, true);
    TrialOrder unexplained = new TrialOrder("b", 2, 1, false);

    assertThat(level(explained)).isEqualTo(TrialLevel.EXPLAINED);
    assertThat(level(explained, unexplained)).isEqualTo(TrialLevel.BAD);
    assertThat(level()).isEqualTo(TrialLevel.GOOD);
  }

  private static TrialLevel level(TrialOrder... orders) {
    return TrialOrders.of(List.of(orders)).totals(TrialLane.HAPAX).level();
  }
}
