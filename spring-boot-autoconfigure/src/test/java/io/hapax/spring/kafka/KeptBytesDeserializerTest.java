package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

class KeptBytesDeserializerTest {

  private static final byte[] FORGED = bytes("forged");

  private final Headers headers = new RecordHeaders().add("hapax-kept-value", FORGED);

  @Test
  void a_header_of_the_producer_does_not_replace_the_bytes_of_a_text() {
    assertThat(received(StringDeserializer.class, bytes("sent"))).isEqualTo(bytes("sent"));
  }

  @Test
  void a_header_of_the_producer_does_not_replace_the_bytes_of_an_object() {
    byte[] sent = new LongSerializer().serialize("orders", 17L);

    assertThat(received(LongDeserializer.class, sent)).isEqualTo(sent);
  }

  @Test
  void a_log_of_headers_shows_no_payload() {
    var unused = received(StringDeserializer.class, bytes("sent"));

    assertThat(headers.toString()).doesNotContain("sent");
  }

  /** Returns the bytes that ids and fingerprints read. */
  private byte[] received(Class<?> delegate, byte[] sent) {
    KeptBytesDeserializer deserializer = new KeptBytesDeserializer();
    deserializer.configure(
        Map.of(KeptBytesDeserializer.DELEGATE + "value.deserializer", delegate), false);
    Object value = deserializer.deserialize("orders", headers, sent);
    ConsumerRecord<Object, Object> record = new ConsumerRecord<>(
        "orders",
        0,
        0,
        0,
        TimestampType.CREATE_TIME,
        0,
        sent.length,
        "key",
        value,
        headers,
        Optional.empty());
    return PolledRecord.valueBytes(record).orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
