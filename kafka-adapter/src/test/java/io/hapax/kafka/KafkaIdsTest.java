package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Invariant 15: an id is bytes")
class KafkaIdsTest {

  private static final IdExtractor<ConsumerRecord<Object, Object>> ORDER_ID =
      KafkaIds.jsonPointer("/order/id");

  @Test
  void the_last_header_of_a_name_gives_its_bytes() {
    ConsumerRecord<Object, Object> record = record("k", "v");
    record.headers().add("id", bytes("first")).add("id", new byte[] {(byte) 0xff, 0});

    assertThat(KafkaIds.header("id").idOf(record)).contains(Bytes.of(new byte[] {(byte) 0xff, 0}));
  }

  @Test
  void a_missing_or_empty_header_is_no_id() {
    ConsumerRecord<Object, Object> record = record("k", "v");
    record.headers().add("empty", new byte[0]);

    assertThat(KafkaIds.header("id").idOf(record)).isEmpty();
    assertThat(KafkaIds.header("empty").idOf(record)).isEmpty();
  }

  @Test
  void a_text_key_and_its_bytes_are_the_same_id() {
    assertThat(KafkaIds.key().idOf(record("Zürich", "v")))
        .isEqualTo(KafkaIds.key().idOf(record(bytes("Zürich"), "v")))
        .contains(Bytes.utf8("Zürich"));
  }

  @Test
  void a_key_that_is_no_valid_unicode_is_no_id() {
    assertThat(KafkaIds.key().idOf(record("\ud800", "v"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"order\":{\"id\":\"A-1\"}}|A-1", "{\"order\":{\"id\":17}}|17"})
  void a_text_or_an_integer_is_found_in_json(String json, String id) {
    assertThat(ORDER_ID.idOf(record("k", json))).contains(Bytes.utf8(id));
    assertThat(ORDER_ID.idOf(record("k", bytes(json)))).contains(Bytes.utf8(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"order\":",
        "{\"order\":{}}",
        "{\"order\":{\"id\":null}}",
        "{\"order\":{\"id\":\"\"}}",
        "{\"order\":{\"id\":1.5}}",
        "{\"order\":{\"id\":1}} trailing",
        "{\"order\":{\"id\":1,\"id\":2}}"
      })
  void corrupt_or_other_json_has_no_id(String json) {
    assertThat(ORDER_ID.idOf(record("k", json))).isEmpty();
  }

  @Test
  void a_tombstone_has_no_json_and_another_fingerprint_than_an_empty_value() {
    assertThat(ORDER_ID.idOf(record("k", null))).isEmpty();
    var fingerprint = KafkaFingerprints.<Object, Object>value();
    assertThat(fingerprint.apply(record("k", null)))
        .isNotEqualTo(fingerprint.apply(record("k", "")));
  }

  @Test
  void a_text_value_and_its_bytes_have_the_same_fingerprint() {
    var fingerprint = KafkaFingerprints.<Object, Object>value();

    assertThat(fingerprint.apply(record("k", "v")))
        .isEqualTo(fingerprint.apply(record("k", bytes("v"))));
  }

  @Test
  void a_value_of_another_type_is_refused_with_what_to_do() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaFingerprints.<Object, Object>value().apply(record("k", 17)))
        .withMessageContaining("java.lang.Integer")
        .withMessageContaining("set a fingerprint of your own");
  }

  @SuppressWarnings("NullAway") // a tombstone has no value, which the client's types do not say
  private static ConsumerRecord<Object, Object> record(Object key, @Nullable Object value) {
    return new ConsumerRecord<>("orders", 0, 0, key, value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
