package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.json.JsonPointerId;
import io.hapax.mark.Bytes;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the business message id of Kafka records. A lambda can be used instead.
 * {@link IdExtractor#firstOf} and {@link IdExtractor#composed} combine several extractors.
 *
 * <p>A good id is written once, by the system that records the business fact. It survives a resend
 * of the producer, an outbox relay, a mirrored cluster and a replay. Partition and offset survive
 * none of these.
 */
public final class KafkaIds {

  /** A text deserializer writes it in place of bytes that are not valid UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  private KafkaIds() {}

  /**
   * Extracts the bytes of a header, of the last one if several have that name.
   *
   * @param name the header's name, case-sensitive
   * @param <K> the record's key
   * @param <V> the record's value
   * @return an extractor that returns empty if the header is missing, null or empty
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> header(String name) {
    return record -> {
      Header header = record.headers().lastHeader(name);
      return header == null ? Optional.empty() : ofValue(header.value());
    };
  }

  /**
   * Extracts the record's key: its bytes, or the strict UTF-8 form of a text. Use it only if every
   * record of a key is a different fact. That is true for a key of event ids, and false for a key
   * of customers.
   *
   * @param <K> the record's key, {@code byte[]} or {@link String}
   * @param <V> the record's value
   * @return an extractor that returns empty if the key is null, empty or not valid Unicode, or if a
   *     text holds U+FFFD. {@code StringDeserializer} writes that character in place of bytes that
   *     are not valid UTF-8, so different keys would become one id
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> key() {
    return record -> ofValue(record.key());
  }

  /**
   * Extracts a text or an integer inside a JSON value. The integer 17 and the text "17" are the
   * same id.
   *
   * @param pointer an RFC 6901 pointer, for example {@code /order/id}
   * @param <K> the record's key
   * @param <V> the record's value, {@code byte[]} or {@link String}
   * @return an extractor that returns empty if the value is null, not valid UTF-8 or malformed
   *     JSON, or if the pointer finds neither a text nor an integer. A repeated field in an object
   *     and nesting deeper than 1000 count as malformed. A number with a fraction or an exponent is
   *     not an integer. A text id that holds U+FFFD is taken from {@code byte[]} values only, see
   *     {@link #key}
   * @throws IllegalArgumentException if the pointer is malformed
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> jsonPointer(String pointer) {
    JsonPointerId id = JsonPointerId.of(pointer);
    return record -> {
      Object value = record.value();
      if (value == null) {
        return Optional.empty();
      } else if (value instanceof byte[] bytes) {
        return id.in(bytes);
      } else if (value instanceof String text) {
        return id.in(text);
      }
      throw unsupported("jsonPointer", value);
    };
  }

  private static Optional<Bytes> ofValue(@Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    } else if (value instanceof byte[] bytes) {
      return Optional.of(Bytes.of(bytes)).filter(KafkaIds::notEmpty);
    } else if (value instanceof String text) {
      return ofText(text);
    }
    throw unsupported("key", value);
  }

  /**
   * Refuses a text with U+FFFD: it was decoded from invalid UTF-8, so different ids would be equal.
   */
  private static Optional<Bytes> ofText(String text) {
    return text.indexOf(REPLACEMENT) < 0 ? utf8(text) : Optional.empty();
  }

  private static Optional<Bytes> utf8(String text) {
    try {
      return Optional.of(Bytes.utf8(text)).filter(KafkaIds::notEmpty);
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static boolean notEmpty(Bytes bytes) {
    return bytes.length() > 0;
  }

  private static IllegalArgumentException unsupported(String extractor, Object value) {
    return new IllegalArgumentException(
        "KafkaIds." + extractor + " reads byte[] and String but got "
            + value.getClass().getName() + ": set an id extractor of your own");
  }
}
