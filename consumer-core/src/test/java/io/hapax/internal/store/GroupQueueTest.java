package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GroupQueueTest {

  private final GroupQueue<String> queue = new GroupQueue<>(2);

  @Test
  void a_group_is_no_larger_than_it_may_be() {
    var unused = queue.add(List.of("a", "b", "c"));

    assertThat(queue.next()).containsExactly("a", "b");
    assertThat(queue.next()).containsExactly("c");
  }

  @Test
  void what_is_put_back_goes_behind_the_others_and_is_seen_to_as_before() {
    var unused = queue.add(List.of("a", "b", "c"));

    queue.putBack(queue.next());

    assertThat(queue.add(List.of("d"))).isFalse();
    assertThat(queue.next()).containsExactly("c", "a");
    assertThat(queue.next()).containsExactly("b", "d");
    assertThat(queue.isEmpty()).isTrue();
  }
}
