package io.hapax.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FormatsTest {

  private static final Texts TEXTS = Texts.of("en");

  @Test
  void characters_that_are_not_seen_or_turn_others_are_escaped() {
    assertThat(Formats.visible("a\u202Eb\u0000c\nd\ud800e"))
        .isEqualTo("a\\u202Eb\\u0000c\\u000Ad\\uD800e");
    assertThat(Formats.visible("الطلب 👩‍💻 <b>")).isEqualTo("الطلب 👩‍💻 <b>");
  }

  @Test
  void lines_are_kept_where_they_belong() {
    assertThat(Formats.visibleLines("a\n\tb\r")).isEqualTo("a\n\tb\\u000D");
    assertThat(Formats.firstLine("a\nb")).isEqualTo("a");
  }

  @Test
  void a_long_text_is_cut_between_characters() {
    String cut = Formats.brief("🧾".repeat(100));

    assertThat(cut).isEqualTo("🧾".repeat(80) + "…");
    assertThat(Formats.brief("x".repeat(80))).doesNotEndWith("…");
  }

  @Test
  void a_duration_has_its_largest_unit() {
    assertThat(Formats.duration(TEXTS, Duration.ofSeconds(90))).isEqualTo("90 s");
    assertThat(Formats.duration(TEXTS, Duration.ofMinutes(90))).isEqualTo("90 min");
    assertThat(Formats.duration(TEXTS, Duration.ofHours(40))).isEqualTo("40 h");
    assertThat(Formats.duration(TEXTS, Duration.ofDays(8))).isEqualTo("8 d");
    assertThat(Formats.duration(TEXTS, Duration.ofSeconds(-5))).isEqualTo("0 s");
  }

  @Test
  void numbers_and_times_are_the_same_everywhere() {
    assertThat(Formats.number(1_234_567)).isEqualTo("1,234,567");
    assertThat(Formats.number(OptionalLong.empty())).isEqualTo("–");
    assertThat(Formats.number(Double.NaN)).isEqualTo("–");
    assertThat(Formats.percent(0.0594)).isEqualTo("5.9%");
    assertThat(Formats.time(Instant.EPOCH)).isEqualTo("1970-01-01 00:00:00");
  }
}
