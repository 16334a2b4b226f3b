package io.hapax.adapter.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks how a dead-letter record names the headers that it omits. */
class OmittedHeadersTest {

  private static final OmittedHeaders NOTHING = new OmittedHeaders(List.of(), 0);

  private static OmittedHeaders read(Map<String, String> letter) {
    return OmittedHeaders.read(name -> Optional.ofNullable(letter.get(name)))
        .without(letter::containsKey);
  }

  @Test
  void a_record_is_whole_once_all_headers_that_it_names_are_put_back() {
    Map<String, String> letter = NOTHING.with(List.of("trace", "tenant")).toProperties(100);

    assertThat(letter)
        .isEqualTo(Map.of("hapax-left-out", "trace,tenant", "hapax-left-out-count", "2"));
    assertThat(read(letter).names()).containsExactly("trace", "tenant");
    assertThat(OmittedHeaders.read(name -> Optional.ofNullable(letter.get(name)))
            .without(List.of("trace", "tenant")::contains)
            .isEmpty())
        .isTrue();
    assertThat(NOTHING.toProperties(100)).isEmpty();
  }

  @Test
  void a_name_that_cannot_be_listed_is_counted() {
    for (String name : List.of("a,b", "", " ", "a\u0001", "x".repeat(200))) {
      Map<String, String> letter = NOTHING.with(List.of(name, "trace")).toProperties(100);

      OmittedHeaders read =
          OmittedHeaders.read(it -> Optional.ofNullable(letter.get(it))).without(it -> true);

      assertThat(read.isEmpty()).as(name).isFalse();
      assertThat(read.toText()).as(name).isEqualTo("[], …");
      assertThat(read.with(List.of("more")).toProperties(100))
          .as("it dies again")
          .containsEntry("hapax-left-out-count", "2");
    }
  }

  @Test
  void a_record_of_an_older_version_is_judged_by_its_list() {
    assertThat(read(Map.of("hapax-left-out", "trace", "trace", "7")).isEmpty()).isTrue();
    assertThat(read(Map.of("hapax-left-out", "trace")).names()).containsExactly("trace");
    assertThat(read(Map.of("hapax-left-out", "")).isEmpty())
        .as("of an empty name")
        .isFalse();
    assertThat(read(Map.of("hapax-left-out-count", "two")).isEmpty()).isFalse();
    assertThat(read(Map.of()).isEmpty()).isTrue();
  }
}
