package io.hapax.demo.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdsTest {

  private static final int COUNT = 10_000;

  @Test
  void the_ids_of_a_node_are_ordered_by_time() {
    List<String> ids = take(new Ids());

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(UUID.fromString(ids.get(0)).version()).isEqualTo(7);
  }

  @Test
  void the_ids_of_nodes_at_the_same_time_differ() {
    Set<String> ids = new HashSet<>();

    List<Ids> nodes = Stream.generate(Ids::new).limit(8).toList();
    nodes.parallelStream().map(IdsTest::take).toList().forEach(ids::addAll);

    assertThat(ids).hasSize(8 * COUNT);
  }

  private static List<String> take(Ids ids) {
    return Stream.generate(ids::next).limit(COUNT).toList();
  }
}
