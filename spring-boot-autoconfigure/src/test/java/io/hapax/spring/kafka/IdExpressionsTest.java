package io.hapax.spring.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Text;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.MessageExpressions;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** What expressions and extractors of the application may return as an id or a fingerprint. */
class IdExpressionsTest {

  private static final byte[] BINARY = {(byte) 0xff, 0, (byte) 0xfe};
  private static final byte[] OTHER_BINARY = {(byte) 0xff};

  private final StaticListableBeanFactory beans = new StaticListableBeanFactory();
  private final MessageExpressions<ConsumerRecord<Object, Object>> expressions =
      new MessageExpressions<>(new KafkaFields(Set.of()), beans);

  private Class<?> keys = StringDeserializer.class;
  private Class<?> values = StringDeserializer.class;

  /** A value without a text. */
  public record Envelope(String number) {}

  /** Reads envelopes. */
  public static final class EnvelopeDeserializer implements Deserializer<Envelope> {

    @Override
    public Envelope deserialize(String topic, byte[] data) {
      return new Envelope(new String(data, UTF_8));
    }
  }

  private Optional<Bytes> id(String expression, ConsumerRecord<Object, Object> record) {
    return expressions.id(settings(expression, "value")).idOf(record);
  }

  private Fingerprint fingerprint(String expression, ConsumerRecord<Object, Object> record) {
    return expressions.fingerprint(settings("key", expression)).apply(record);
  }

  private static ListenerDefinition settings(String id, String fingerprint) {
    return Text.settings("billing", id, fingerprint, Optional.empty(), Consumer.DEFAULT);
  }

  private ConsumerRecord<Object, Object> record(byte[] key, String value, Object... headers) {
    RecordHeaders all = new RecordHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(
          String.valueOf(headers[i]),
          headers[i + 1] instanceof byte[] bytes
              ? bytes
              : String.valueOf(headers[i + 1]).getBytes(UTF_8));
    }
    return PolledRecord.copy(
        new ConsumerRecord<>("orders", 0, 17, key, value),
        deserializer("key", keys).deserialize("orders", all, key),
        deserializer("value", values).deserialize("orders", all, value.getBytes(UTF_8)),
        all);
  }

  private static KeptBytesDeserializer deserializer(String part, Class<?> type) {
    KeptBytesDeserializer deserializer = new KeptBytesDeserializer();
    deserializer.configure(
        Map.of(KeptBytesDeserializer.DELEGATE + part + ".deserializer", type), part.equals("key"));
    return deserializer;
  }

  private ConsumerRecord<Object, Object> record(String key, String value, Object... headers) {
    return record(key.getBytes(UTF_8), value, headers);
  }

  @Test
  void a_binary_header_is_the_id_by_its_bytes() {
    String header = "#{headers['order-id']}";

    assertThat(id(header, record("", "a", "order-id", BINARY)))
        .isPresent()
        .isEqualTo(id(header, record("", "a", "order-id", BINARY)))
        .isNotEqualTo(id(header, record("", "b", "order-id", OTHER_BINARY)));
  }

  @Test
  void a_key_of_bytes_is_the_id_by_its_bytes() {
    keys = ByteArrayDeserializer.class;

    assertThat(id("#{key}", record(BINARY, "a")))
        .isPresent()
        .isEqualTo(id("#{key}", record(BINARY, "a")))
        .isNotEqualTo(id("#{key}", record(OTHER_BINARY, "a")));
  }

  @Test
  void different_buffers_are_different_ids_and_the_listener_can_read_them() {
    values = ByteBufferDeserializer.class;
    ConsumerRecord<Object, Object> one = record("", "one");

    assertThat(id("#{payload}", one))
        .isPresent()
        .isEqualTo(id("#{payload}", record("", "one")))
        .isNotEqualTo(id("#{payload}", record("", "two")));
    assertThat(UTF_8.decode((ByteBuffer) one.value()).toString()).isEqualTo("one");
  }

  @ParameterizedTest
  @ValueSource(bytes = {(byte) 0xff, (byte) 0xfe, (byte) 0xc0})
  void texts_that_were_decoded_from_invalid_bytes_are_no_ids(byte invalid) {
    IdExtractor<ConsumerRecord<Object, Object>> bean =
        record -> Optional.of(Bytes.utf8((String) record.key()));
    beans.addBean("keys", bean);
    ConsumerRecord<Object, Object> record = record(new byte[] {invalid}, "the same");

    assertThat(id("#{key}", record)).isEmpty();
    assertThat(id("bean:keys", record)).get().matches(Bytes::isDamagedText);
  }

  @ParameterizedTest
  @ValueSource(strings = {"#{payload}", "#{'order-' + payload}"})
  void a_value_without_a_stable_text_is_no_id_alone_or_within_a_text(String expression) {
    values = EnvelopeDeserializer.class;

    assertThatThrownBy(() -> id(expression, record("", "17"))).isInstanceOf(RuntimeException.class);
  }

  @Test
  void a_field_of_a_payload_that_is_a_text_is_no_id_and_the_failure_names_json() {
    assertThatThrownBy(() -> id("#{payload.orderId}", record("", "{\"orderId\":17}")))
        .hasMessageContaining("the payload is a java.lang.String")
        .hasMessageContaining("json:/orderId");
  }

  @Test
  void an_id_of_two_parts_is_missing_if_one_part_is() {
    String parts = "#{headers['tenant'].concat(':').concat(key)}";

    assertThat(id(parts, record("17", "a", "tenant", "north")))
        .isPresent()
        .isNotEqualTo(id(parts, record("17", "b", "tenant", "south")));
    assertThatThrownBy(() -> id(parts, record("17", "c"))).isInstanceOf(RuntimeException.class);
  }

  @Test
  void a_cloud_event_has_one_id_in_both_modes_and_an_unrelated_header_is_none() {
    String json = "application/cloudevents+json; charset=UTF-8";
    String event = "{\"source\":\"/shop/1\",\"id\":\"17\"}";
    ConsumerRecord<Object, Object> binary =
        record("", "in binary mode", "ce_source", "/shop/1", "ce_id", "17");

    assertThat(id("cloudevents", binary))
        .isPresent()
        .isEqualTo(id("cloudevents", record("", event, "content-type", json, "id", "unrelated")))
        .isNotEqualTo(
            id("cloudevents", record("", event.replace("17", "16"), "content-type", json)));
    assertThat(id("cloudevents", record("", "no event", "source", "/shop/1", "id", "18")))
        .isEmpty();
  }

  @Test
  void bytes_are_a_fingerprint_by_their_content() {
    String sum = "#{headers['sum']}";

    assertThat(fingerprint(sum, record("17", "a", "sum", BINARY)))
        .isEqualTo(fingerprint(sum, record("17", "a again", "sum", BINARY)))
        .isNotEqualTo(fingerprint(sum, record("17", "b", "sum", OTHER_BINARY)));
  }

  @Test
  void a_header_is_part_of_the_fingerprint_if_it_is_named() {
    String type = "value,header:type";

    assertThat(fingerprint(type, record("17", "a", "type", BINARY, "trace", "1")))
        .isEqualTo(fingerprint(type, record("17", "a", "type", BINARY, "trace", "2")))
        .isNotEqualTo(fingerprint(type, record("17", "a", "type", OTHER_BINARY)));
  }

  @Test
  void a_value_without_a_stable_text_is_no_fingerprint() {
    values = EnvelopeDeserializer.class;

    assertThatThrownBy(() -> fingerprint("#{payload}", record("17", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no text that is the same in each process");
  }
}
