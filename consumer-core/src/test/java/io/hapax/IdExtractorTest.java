package io.hapax;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Extractors that are made of others. */
class IdExtractorTest {

  private final List<String> asked = new ArrayList<>();

  private IdExtractor<Map<String, Bytes>> field(String name) {
    return message -> {
      asked.add(name);
      return Optional.ofNullable(message.get(name));
    };
  }

  private static Bytes bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Bytes.of(bytes);
  }

  @Test
  void the_first_id_found_is_taken_and_later_extractors_are_not_called() {
    IdExtractor<Map<String, Bytes>> first =
        IdExtractor.firstOf(List.of(field("a"), field("b"), field("c")));

    assertThat(first.idOf(Map.of("b", Bytes.utf8("17"), "c", Bytes.utf8("18"))))
        .contains(Bytes.utf8("17"));
    assertThat(asked).containsExactly("a", "b");
    assertThat(first.idOf(Map.of())).isEmpty();
  }

  @Test
  void a_composed_id_is_what_a_composite_id_of_its_parts_is() {
    IdExtractor<Map<String, Bytes>> composed =
        IdExtractor.composed(List.of(field("tenant"), field("order")));

    assertThat(composed.idOf(
            Map.of("tenant", Bytes.utf8("tenant 7%"), "order", Bytes.utf8("Zürich/9"))))
        .contains(CompositeId.of("tenant 7%", "Zürich/9"));
    assertThat(composed.idOf(Map.of("tenant", Bytes.utf8("7")))).isEmpty();
    assertThat(composed.idOf(Map.of("order", Bytes.utf8("9")))).isEmpty();
  }

  @Test
  void a_blank_part_is_a_missing_one() {
    IdExtractor<Map<String, Bytes>> composed =
        IdExtractor.composed(List.of(field("tenant"), field("order")));

    assertThat(composed.idOf(Map.of("tenant", Bytes.utf8("7"), "order", Bytes.utf8(" "))))
        .isEmpty();
    assertThat(composed.idOf(Map.of("tenant", bytes(), "order", bytes()))).isEmpty();
  }

  @Test
  void an_id_within_a_place_differs_by_place_and_a_blank_one_is_none() {
    IdExtractor<Map<String, Bytes>> within = IdExtractor.within(
        message -> requireNonNull(message.get("topic")).toString(), field("order"));
    Bytes orders = Bytes.utf8("orders");

    assertThat(within.idOf(Map.of("topic", orders, "order", Bytes.utf8("17"))))
        .contains(Bytes.utf8("orders/17"));
    assertThat(within.idOf(Map.of("topic", Bytes.utf8("bills"), "order", Bytes.utf8("17"))))
        .contains(Bytes.utf8("bills/17"));
    assertThat(within.idOf(Map.of("topic", orders, "order", Bytes.utf8(" \t")))).isEmpty();
    assertThat(within.idOf(Map.of("topic", orders))).isEmpty();
  }

  @Test
  void a_blank_id_does_not_hide_those_behind_it() {
    IdExtractor<Map<String, Bytes>> first = IdExtractor.firstOf(List.of(field("a"), field("b")));

    assertThat(first.idOf(Map.of("a", Bytes.utf8(" "), "b", Bytes.utf8("17"))))
        .contains(Bytes.utf8("17"));
  }

  @Test
  @DisplayName("invariant 15: parts cannot flow into each other, be they texts or not")
  void different_parts_make_different_composed_ids() {
    IdExtractor<Map<String, Bytes>> composed =
        IdExtractor.composed(List.of(field("a"), field("b")));

    assertThat(List.of(
            composed.idOf(Map.of("a", bytes('x', '/'), "b", bytes('y'))),
            composed.idOf(Map.of("a", bytes('x'), "b", bytes('/', 'y'))),
            composed.idOf(Map.of("a", bytes('x', '%', '2', 'F'), "b", bytes('y'))),
            composed.idOf(Map.of("a", bytes(0xff, 0), "b", bytes('y'))),
            composed.idOf(Map.of("a", bytes(0xff), "b", bytes(0, 'y')))))
        .doesNotHaveDuplicates();
  }

  @Test
  void of_no_extractors_none_is_made() {
    assertThatThrownBy(() -> IdExtractor.firstOf(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("extractors is empty but must hold at least one");
    assertThatThrownBy(() -> IdExtractor.composed(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("extractors is empty but must hold at least one");
  }
}
