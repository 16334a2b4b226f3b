package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
  void later_changes_of_the_given_array_are_not_seen() {
    byte[] given = {1, 2, 3};
    Bytes bytes = Bytes.of(given);
    given[0] = 9;
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
  void returned_array_is_a_copy() {
    Bytes bytes = Bytes.of(new byte[] {1, 2, 3});
    bytes.toByteArray()[0] = 9;
    assertThat(bytes.toByteArray()).containsExactly(1, 2, 3);
  }

  @Test
  void no_bytes_are_always_the_same_object() {
    assertThat(Bytes.of(new byte[0])).isSameAs(Bytes.EMPTY);
    assertThat(Bytes.utf8("")).isSameAs(Bytes.EMPTY);
    assertThat(Bytes.EMPTY.length()).isZero();
    assertThat(Bytes.EMPTY).hasToString("");
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

  @Test
  void printable_text_is_printed_as_text() {
    assertThat(Bytes.utf8("größe 😀")).hasToString("größe 😀");
  }

  @Test
  void control_characters_are_printed_as_hexadecimal() {
    assertThat(Bytes.utf8("a\nb")).hasToString("0x610a62");
    assertThat(Bytes.utf8("\u001b[31m")).hasToString("0x1b5b33316d");
    assertThat(Bytes.utf8("\u0085")).hasToString("0xc285");
  }

  @Test
  void what_is_not_utf8_is_printed_as_hexadecimal() {
    assertThat(Bytes.of(new byte[] {(byte) 0xff, 0})).hasToString("0xff00");
  }

  @Test
  void eighty_bytes_are_printed_whole() {
    assertThat(Bytes.utf8("x".repeat(80))).hasToString("x".repeat(80));
  }

  @Test
  void longer_content_is_cut_and_its_length_shown() {
    assertThat(Bytes.utf8("x".repeat(81))).hasToString("x".repeat(80) + "...(81 bytes)");
    assertThat(Bytes.of(new byte[1000])).hasToString("0x" + "00".repeat(80) + "...(1000 bytes)");
  }

  @Test
  void a_long_text_is_cut_between_characters_and_stays_text() {
    assertThat(Bytes.utf8("x" + "\u00e9".repeat(50)).toString())
        .isEqualTo("x" + "\u00e9".repeat(39) + "...(101 bytes)");
  }

  @Test
  void characters_that_reorder_or_break_a_line_are_printed_as_hexadecimal() {
    assertThat(Bytes.utf8("a\u202eb").toString()).startsWith("0x");
    assertThat(Bytes.utf8("a\u2028b").toString()).startsWith("0x");
  }
}
