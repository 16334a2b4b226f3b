package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("invariant 15: bytes are compared as they are and printed safely")
class BytesTest {

  @Test
  void equal_content_is_equal() {
    Bytes one = Bytes.of(new byte[] {1, 2, 3});
    assertThat(one).isEqualTo(Bytes.of(new byte[] {1, 2, 3}));
    assertThat(one).hasSameHashCodeAs(Bytes.of(new byte[] {1, 2, 3}));
    assertThat(one).isNotEqualTo(Bytes.of(new byte[] {1, 2}));
    assertThat(one).isNotEqualTo(Bytes.of(new byte[] {1, 2, 4}));
    assertThat(one.equals(new Object())).isFalse();
  }

  @Test
  void changes_of_the_given_or_the_returned_array_are_not_seen() {
    byte[] given = {1, 2, 3};
    Bytes bytes = Bytes.of(given);
    given[0] = 9;
    bytes.toByteArray()[1] = 9;
    assertThat(bytes.toByteArray()).containsExactly(1, 2, 3);
  }

  @Test
  void white_space_of_ascii_and_nothing_at_all_are_blank() {
    assertThat(Bytes.EMPTY.isBlank()).isTrue();
    assertThat(Bytes.utf8(" \t\n\u000b\f\r").isBlank()).isTrue();
    assertThat(Bytes.utf8(" a ").isBlank()).isFalse();
    assertThat(Bytes.utf8("\u000e").isBlank()).isFalse();
    assertThat(Bytes.utf8("\b").isBlank()).isFalse();
  }

  @Test
  void text_becomes_strict_utf8() {
    assertThat(Bytes.utf8("é").toByteArray()).containsExactly(0xc3, 0xa9);
    assertThat(Bytes.utf8("😀").toByteArray()).containsExactly(0xf0, 0x9f, 0x98, 0x80);
  }

  @Test
  void unpaired_surrogate_is_refused() {
    for (String malformed : List.of("\ud83d", "\ude00", "a\ud83db", "\ude00\ud83d")) {
      assertThatThrownBy(() -> Bytes.utf8(malformed))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("text is not valid Unicode: it holds an unpaired surrogate");
    }
  }

  @Test
  void text_with_a_replacement_character_is_damaged_and_binary_bytes_are_not() {
    assertThat(Bytes.utf8("\ufffd").isDamagedText()).isTrue();
    assertThat(Bytes.utf8("order-\ufffd7").isDamagedText()).isTrue();
    assertThat(Bytes.utf8("größe 😀 \ufffc").isDamagedText()).isFalse();
    assertThat(Bytes.of(new byte[] {(byte) 0xff, (byte) 0xef, (byte) 0xbf, (byte) 0xbd})
            .isDamagedText())
        .isFalse();
    assertThat(Bytes.of(new byte[] {(byte) 0xef, (byte) 0xbf}).isDamagedText()).isFalse();
  }

  static Stream<Arguments> printed() {
    return Stream.of(
        arguments(Bytes.EMPTY, ""),
        arguments(Bytes.utf8("größe 😀"), "größe 😀"),
        arguments(Bytes.utf8("a\nb"), "0x610a62"),
        arguments(Bytes.utf8("\u001b[31m"), "0x1b5b33316d"),
        arguments(Bytes.utf8("\u0085"), "0xc285"),
        arguments(Bytes.of(new byte[] {(byte) 0xff, 0}), "0xff00"),
        arguments(Bytes.utf8("a\u202eb"), "0x61e280ae62"), // reorders a line
        arguments(Bytes.utf8("a\u2028b"), "0x61e280a862"), // breaks one
        arguments(Bytes.utf8("x".repeat(80)), "x".repeat(80)),
        arguments(Bytes.utf8("x".repeat(81)), "x".repeat(80) + "...(81 bytes)"),
        arguments(Bytes.of(new byte[1000]), "0x" + "00".repeat(80) + "...(1000 bytes)"),
        arguments(
            Bytes.utf8("x" + "\u00e9".repeat(50)), "x" + "\u00e9".repeat(39) + "...(101 bytes)"));
  }

  @ParameterizedTest
  @MethodSource("printed")
  void printable_text_is_printed_as_text_and_other_content_as_hexadecimal_both_cut(
      Bytes bytes, String text) {
    assertThat(bytes).hasToString(text);
  }
}
