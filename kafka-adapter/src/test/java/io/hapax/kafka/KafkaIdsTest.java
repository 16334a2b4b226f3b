package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hapax.CompositeId;
import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
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
        "{\"order\":{\"id\":1,\"id\":2}}",
        "{\"order\":{\"id\":1},\"order\":{\"id\":2}}",
        "{\"order\":{\"id\":1},\"x\":1,\"x\":1}",
        "{\"order\":{\"id\":\"\ufffd\"}}"
      })
  void corrupt_ambiguous_or_other_json_has_no_id(String json) {
    assertThat(ORDER_ID.idOf(record("k", json))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", bytes(json)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "1e2", "-0.0", "true", "[1]", "{\"id\":1}", "NaN"})
  void what_is_neither_text_nor_integer_is_no_id(String value) {
    assertThat(ORDER_ID.idOf(record("k", order(value)))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", bytes(order(value))))).isEmpty();
  }

  @Test
  void an_integer_of_any_length_keeps_its_digits() {
    String digits = "12345678901234567890";
    assertThat(ORDER_ID.idOf(record("k", order(digits)))).contains(Bytes.utf8(digits));
    assertThat(ORDER_ID.idOf(record("k", order("9".repeat(900)))))
        .contains(Bytes.utf8("9".repeat(900)));
  }

  @Test
  void a_number_that_is_too_long_for_the_parser_is_no_id() {
    assertThat(ORDER_ID.idOf(record("k", order("9".repeat(100_000))))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"order\":", "[{\"a\":"})
  void ten_thousand_brackets_are_no_id_and_do_not_exhaust_the_stack(String opening) {
    String deep = opening.repeat(10_000);
    assertThat(ORDER_ID.idOf(record("k", deep))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", bytes(deep)))).isEmpty();
    String aside =
        "{\"order\":{\"id\":\"A\"},\"deep\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
    assertThat(ORDER_ID.idOf(record("k", aside))).isEmpty();
  }

  @Test
  void invalid_utf8_is_no_id() {
    byte[] overlong = bytes(order("\"A__\""));
    byte[] surrogate = bytes(order("\"A___\""));
    byte[] alone = bytes(order("\"A_\""));
    replace(overlong, (byte) 0xc0, (byte) 0x80);
    replace(surrogate, (byte) 0xed, (byte) 0xa0, (byte) 0x80);
    replace(alone, (byte) 0xff);

    assertThat(ORDER_ID.idOf(record("k", overlong))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", surrogate))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", alone))).isEmpty();
    assertThat(ORDER_ID.idOf(record("k", order("\"\\ud800\"")))).isEmpty();
  }

  @Test
  void bytes_that_the_string_deserializer_could_not_read_are_no_id() {
    try (StringDeserializer deserializer = new StringDeserializer()) {
      String one = deserializer.deserialize("orders", new byte[] {'A', (byte) 0xff});
      String other = deserializer.deserialize("orders", new byte[] {'A', (byte) 0xfe});
      assertThat(one).isEqualTo(other); // so two messages would share an id

      assertThat(KafkaIds.key().idOf(record(one, "v"))).isEmpty();
      assertThat(ORDER_ID.idOf(record("k", order("\"" + one + "\"")))).isEmpty();
    }
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
  void headers_are_part_of_the_fingerprint_by_name_only() {
    ConsumerRecord<Object, Object> created = record("k", "v");
    created.headers().add("type", bytes("created")).add("traceparent", bytes("00-1"));
    ConsumerRecord<Object, Object> again = record("k", "v");
    again.headers().add("type", bytes("created")).add("traceparent", bytes("00-2"));
    ConsumerRecord<Object, Object> paid = record("k", "v");
    paid.headers().add("type", bytes("paid")).add("traceparent", bytes("00-3"));

    var value = KafkaFingerprints.<Object, Object>value();
    assertThat(value.apply(created)).isEqualTo(value.apply(paid));
    var withType = KafkaFingerprints.<Object, Object>value("type");
    assertThat(withType.apply(created))
        .isEqualTo(withType.apply(again))
        .isNotEqualTo(withType.apply(paid));
    assertThat(withType.apply(record("k", "v"))).isEqualTo(value.apply(record("k", "v")));
  }

  @Test
  void a_value_of_another_type_is_refused_with_what_to_do() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaFingerprints.<Object, Object>value().apply(record("k", 17)))
        .withMessageContaining("java.lang.Integer")
        .withMessageContaining("set a fingerprint of your own");
  }

  @Test
  void a_cloud_event_has_one_id_in_binary_and_structured_mode() {
    ConsumerRecord<Object, Object> binary = record("k", "v");
    binary.headers().add("ce_id", bytes("17")).add("ce_source", bytes("/shop/1"));
    ConsumerRecord<Object, Object> structured =
        record("k", "{\"specversion\":\"1.0\",\"id\":\"17\",\"source\":\"/shop/1\"}");
    structured.headers().add("content-type", bytes("application/cloudevents+json; charset=UTF-8"));

    assertThat(KafkaIds.cloudEvents().idOf(binary))
        .isEqualTo(KafkaIds.cloudEvents().idOf(structured))
        .contains(CompositeId.of("/shop/1", "17"));
  }

  @Test
  void a_cloud_event_without_a_source_has_no_id() {
    ConsumerRecord<Object, Object> binary = record("k", "{\"id\":\"17\",\"source\":\"s\"}");
    binary.headers().add("ce_id", bytes("17"));

    assertThat(KafkaIds.cloudEvents().idOf(binary)).isEmpty();
  }

  @Test
  void an_event_of_the_debezium_outbox_has_the_id_of_its_row() {
    ConsumerRecord<Object, Object> record = record("1", "{}");
    record.headers().add("id", bytes("4d47e190-0402-4048-bc2c-89dd54343cdc"));

    assertThat(KafkaIds.debeziumOutbox().idOf(record))
        .contains(Bytes.utf8("4d47e190-0402-4048-bc2c-89dd54343cdc"));
  }

  private record Order(@Nullable Object id) {}

  private static Optional<Bytes> idOfField(@Nullable Object id) {
    return KafkaIds.<String, Order>value(Order::id)
        .idOf(new ConsumerRecord<>("orders", 0, 0, "k", new Order(id)));
  }

  @Test
  void a_field_of_a_value_may_be_a_text_bytes_an_integer_or_a_uuid() {
    assertThat(idOfField(CharBuffer.wrap("A-1"))).contains(Bytes.utf8("A-1"));
    assertThat(idOfField(new byte[] {(byte) 0xff})).contains(Bytes.of(new byte[] {(byte) 0xff}));
    assertThat(idOfField(17L)).isEqualTo(idOfField("17")).contains(Bytes.utf8("17"));
    assertThat(idOfField(new UUID(1, 2))).contains(Bytes.utf8(new UUID(1, 2).toString()));
    assertThat(idOfField("")).isEmpty();
    assertThat(idOfField(null)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> idOfField(1.5))
        .withMessageContaining("java.lang.Double is no id");
  }

  @Test
  void a_tombstone_has_no_field() {
    assertThat(KafkaIds.<Object, Object>value(Object::toString).idOf(record("k", null)))
        .isEmpty();
  }

  @SuppressWarnings("NullAway") // a tombstone has no value, which the client's types do not say
  private static ConsumerRecord<Object, Object> record(Object key, @Nullable Object value) {
    return new ConsumerRecord<>("orders", 0, 0, key, value);
  }

  private static String order(String id) {
    return "{\"order\":{\"id\":" + id + "}}";
  }

  /** Writes over the underscores. */
  private static void replace(byte[] json, byte... with) {
    int at = new String(json, StandardCharsets.UTF_8).indexOf('_');
    System.arraycopy(with, 0, json, at, with.length);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
