package io.hapax.adapter.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks the metadata of a dead-letter record. */
class DeadLetterMetadataTest {

  @Test
  void every_text_of_a_hostile_record_is_cut_at_4000_characters() {
    DeadLetterMetadata read = DeadLetterMetadata.read(name -> Optional.of("x".repeat(1_000_000)));

    assertThat(List.of(
            read.consumer(),
            read.messageId(),
            read.kind(),
            read.detail(),
            read.coordinates(),
            read.failedAt()))
        .allSatisfy(text -> assertThat(text).hasSize(4_000));
  }

  @Test
  void a_text_of_4000_characters_is_kept() {
    String detail = "x".repeat(3_999) + "y";

    assertThat(DeadLetterMetadata.read(name -> Optional.of(detail)).detail()).isEqualTo(detail);
  }

  @Test
  void what_is_written_of_an_end_is_read_again() {
    DeadLetter<String> letter = new DeadLetter<>(
        "message", "orders", "a", "orders-0@7", 3, DeadLetter.Kind.TOO_OLD, "why", true);
    Map<String, String> written = DeadLetterMetadata.of(letter).toProperties();

    assertThat(written.keySet()).containsExactlyElementsOf(DeadLetterMetadata.NAMES);
    assertThat(DeadLetterMetadata.read(name -> Optional.ofNullable(written.get(name))))
        .isEqualTo(DeadLetterMetadata.of(letter));
    assertThat(DeadLetterMetadata.read(name -> Optional.of("no number")).attempts())
        .isZero();
    assertThat(DeadLetterMetadata.read(name -> Optional.empty()).kind()).isEmpty();
  }
}
