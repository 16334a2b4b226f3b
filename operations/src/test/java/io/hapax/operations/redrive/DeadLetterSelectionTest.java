package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks which id selects a record. */
class DeadLetterSelectionTest {

  private static StoredDeadLetter record(Optional<Bytes> id, String written) {
    DeadLetterMetadata metadata =
        new DeadLetterMetadata("orders", written, 3, "NOT_RETRYABLE", "", false, "orders-0@7", "");
    return new StoredDeadLetter("dead-0@1", Optional.empty(), metadata, id, Optional.empty());
  }

  private static StoredDeadLetter record(Bytes id) {
    return record(Optional.of(id), id.toString());
  }

  @Test
  void records_are_selected_by_text_and_by_the_hexadecimal_bytes_of_their_id() {
    Bytes bytes = Bytes.of(new byte[] {(byte) 0xFF, 1});
    DeadLetterSelection.Index index =
        DeadLetterSelection.of(List.of("a", "0xff01", "0x62")).index();

    assertThat(index.nameOf(record(Bytes.utf8("a")))).contains("a");
    assertThat(index.nameOf(record(bytes))).contains("0xff01");
    assertThat(index.nameOf(record(Bytes.utf8("b")))).contains("0x62");
    assertThat(index.nameOf(record(Bytes.utf8("0x62")))).as("its text").contains("0x62");
    assertThat(index.nameOf(record(Bytes.utf8("c")))).isEmpty();
  }

  @Test
  void a_record_without_an_id_is_selected_by_the_id_that_is_written_in_it() {
    DeadLetterSelection.Index index = DeadLetterSelection.of(List.of("a", "b")).index();

    assertThat(index.nameOf(record(Optional.empty(), "b"))).contains("b");
    assertThat(index.nameOf(record(Optional.empty(), "c"))).isEmpty();
    assertThat(index.nameOf(record(Optional.of(Bytes.utf8("c")), "b")))
        .as("another message's record")
        .isEmpty();
  }

  @Test
  void every_record_is_selected_if_all_are() {
    DeadLetterSelection.Index index = DeadLetterSelection.all().index();

    assertThat(index.nameOf(record(Optional.empty(), ""))).contains("");
    assertThat(index.nameOf(record(Bytes.utf8("a")))).contains("");
  }
}
