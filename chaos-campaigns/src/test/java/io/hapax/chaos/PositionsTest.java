package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionsTest {

  @Test
  void what_lies_in_front_of_the_offset_of_its_own_partition_is_acknowledged() {
    Positions positions = new Positions();
    positions.add(new StoredMessage("a", "1"), 0, 0);
    positions.add(new StoredMessage("b", "2"), 0, 1);
    positions.add(new StoredMessage("a", "3"), 1, 0);
    positions.add(new StoredMessage("c", "4"), 2, 0);

    assertThat(positions.before(Map.of(0, 1L, 1, 1L)))
        .containsExactly(new StoredMessage("a", "1"), new StoredMessage("a", "3"));
  }
}
