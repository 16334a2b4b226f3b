package io.hapax.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.store.MarkQuery.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkQueryTest {

  @ParameterizedTest
  @ValueSource(ints = {1, MarkQuery.MAX_LIMIT})
  void limit_may_reach_both_ends(int limit) {
    assertThat(MarkQuery.first("orders-1", Kind.DEAD, limit).limit()).isEqualTo(limit);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, MarkQuery.MAX_LIMIT + 1})
  void limit_out_of_range_is_refused_by_name_value_and_rule(int limit) {
    assertThatThrownBy(() -> MarkQuery.first("orders-1", Kind.DEAD, limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit is " + limit + " but must be 1 to 1000");
  }
}
