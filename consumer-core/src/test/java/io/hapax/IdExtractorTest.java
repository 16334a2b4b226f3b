package io.hapax;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Bytes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  @SuppressWarnings("NullAway") // which an application need not use
  void a_message_without_a_place_shares_no_id_with_others() {
    IdExtractor<Map<String, String>> within = IdExtractor.within(
        message -> message.get("tenant"), message -> IdExtractor.ofValue(message.get("order")));

    assertThat(within.idOf(Map.of("order", "17"))).isEmpty();
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

  private enum Kind {
    PAID {
      @Override
      public String toString() {
        return "paid";
      }
    }
  }

  @Test
  void bytes_remain_bytes_and_texts_integers_uuids_and_enum_constants_become_text() {
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, (byte) 0xff, 0}).position(1);

    assertThat(IdExtractor.ofValue(buffer)).contains(bytes(0xff, 0));
    assertThat(buffer.position()).isOne();
    assertThat(IdExtractor.ofValue(new byte[] {(byte) 0xff})).contains(bytes(0xff));
    assertThat(IdExtractor.ofValue(bytes(0xff))).contains(bytes(0xff));
    assertThat(Stream.of("17", CharBuffer.wrap("17"), 17L, 17, (short) 17, (byte) 17)
            .map(IdExtractor::ofValue))
        .allMatch(id -> id.equals(Optional.of(Bytes.utf8("17"))));
    assertThat(IdExtractor.ofValue(new BigInteger("17"))).contains(Bytes.utf8("17"));
    assertThat(IdExtractor.ofValue(new UUID(1, 2)))
        .contains(Bytes.utf8("00000000-0000-0001-0000-000000000002"));
    assertThat(IdExtractor.ofValue(Kind.PAID)).contains(Bytes.utf8("PAID"));
  }

  @Test
  void nothing_empty_and_damaged_texts_are_no_id() {
    assertThat(Stream.of("", "\ud800", "order-\ufffd", new byte[0], ByteBuffer.allocate(0))
            .map(IdExtractor::ofValue))
        .containsOnly(Optional.empty());
    assertThat(IdExtractor.ofValue(null)).isEmpty();
  }

  @Test
  void a_value_without_a_text_that_identifies_a_message_is_refused() {
    for (Object value :
        List.of(new Object(), new int[] {17}, List.of("17"), 1.5, true, Optional.of("17"))) {
      assertThatThrownBy(() -> IdExtractor.ofValue(value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(value.getClass().getName() + " is no id: read a text");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\ufffd"})
  void an_unusable_id_does_not_hide_those_behind_it_and_is_a_missing_part(String unusable) {
    List<IdExtractor<Map<String, Bytes>>> both = List.of(field("a"), field("b"));
    Map<String, Bytes> message =
        Map.of("a", Bytes.utf8(unusable), "b", bytes(0xff)); // as a whole no valid UTF-8

    assertThat(IdExtractor.firstOf(both).idOf(message)).contains(bytes(0xff));
    assertThat(IdExtractor.composed(both).idOf(message)).isEmpty();
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
