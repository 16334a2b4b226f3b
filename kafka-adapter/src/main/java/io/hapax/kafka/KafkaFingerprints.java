package io.hapax.kafka;

import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Computes fingerprints of Kafka records, which show whether two payloads differ. */
public final class KafkaFingerprints {

  private static final Fingerprint TOMBSTONE =
      Fingerprint.of("io.hapax.kafka: no value".getBytes(StandardCharsets.UTF_8));

  private KafkaFingerprints() {}

  /**
   * {@return a function that computes the fingerprint of a record's value from its bytes} Headers
   * count by name only, because tracing changes some of them at each resend. A tombstone and an
   * empty value have different fingerprints. The function throws {@link IllegalArgumentException}
   * for a value of another type.
   *
   * @param headers the headers that count too: records that differ in one of them are different
   *     messages. Of several with one name the last one counts
   * @param <K> the record's key
   * @param <V> the record's value, {@code byte[]} or {@link String}
   */
  public static <K, V> Function<ConsumerRecord<K, V>, Fingerprint> value(String... headers) {
    List<String> names = List.of(headers);
    return record -> {
      Fingerprint fingerprint = of(record.value());
      for (String name : names) {
        Header header = record.headers().lastHeader(name);
        if (header != null && header.value() != null) {
          fingerprint = fingerprint.and(name, header.value());
        }
      }
      return fingerprint;
    };
  }

  private static Fingerprint of(@Nullable Object value) {
    if (value == null) {
      return TOMBSTONE;
    } else if (value instanceof byte[] bytes) {
      return Fingerprint.of(bytes);
    } else if (value instanceof String text) {
      return Fingerprint.of(text.getBytes(StandardCharsets.UTF_8));
    }
    throw new IllegalArgumentException("KafkaFingerprints.value reads byte[] and String but got "
        + value.getClass().getName() + ": set a fingerprint of your own, or none");
  }
}
