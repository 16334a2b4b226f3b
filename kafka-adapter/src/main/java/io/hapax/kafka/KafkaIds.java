package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.json.JsonPointerId;
import io.hapax.kafka.internal.DeadLetterRecord;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

  private KafkaIds() {}

  /**
   * {@return an extractor of the bytes of a header, of the last one if several have that name;
   * empty if the header is missing, null or empty}
   *
   * @param name the header's name, case-sensitive
   * @param <K> the record's key
   * @param <V> the record's value
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> header(String name) {
    return record -> {
      Header header = record.headers().lastHeader(name);
      return header == null ? Optional.empty() : IdExtractor.ofValue(header.value());
    };
  }

  /**
   * Extracts the record's key. Use it only if every record of a key is a different fact. That is
   * true for a key of event ids, and false for a key of customers.
   *
   * @param <K> the record's key, of a type of {@link IdExtractor#ofValue}
   * @param <V> the record's value
   * @return an extractor that returns empty if the key is null or empty, or if a text is not valid
   *     Unicode or holds U+FFFD. {@code StringDeserializer} writes that character in place of bytes
   *     that are not valid UTF-8, so different keys would become one id. It throws
   *     {@link IllegalArgumentException} for a key of another type
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> key() {
    return record -> IdExtractor.ofValue(record.key());
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
   *     not an integer
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
      throw new IllegalArgumentException("KafkaIds.jsonPointer reads byte[] and String but got "
          + value.getClass().getName() + ": set an id extractor of your own");
    };
  }

  /**
   * Extracts the id of a CloudEvent: its {@code source} and its {@code id}, which are unique only
   * together. In binary mode they are the headers {@code ce_source} and {@code ce_id}. In
   * structured mode, with a {@code content-type} of {@code application/cloudevents+json}, they are
   * fields of the value. An event has the same id in both modes.
   *
   * @param <K> the record's key
   * @param <V> the record's value; in structured mode {@code byte[]} or {@link String}
   * @return an extractor that returns empty if one of the two is missing
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> cloudEvents() {
    IdExtractor<ConsumerRecord<K, V>> binary =
        IdExtractor.composed(List.of(header("ce_source"), header("ce_id")));
    IdExtractor<ConsumerRecord<K, V>> structured =
        IdExtractor.composed(List.of(jsonPointer("/source"), jsonPointer("/id")));
    return record -> (isStructuredEvent(record) ? structured : binary).idOf(record);
  }

  private static boolean isStructuredEvent(ConsumerRecord<?, ?> record) {
    return DeadLetterRecord.text(record.headers(), "content-type")
        .map(it -> it.strip().toLowerCase(Locale.ROOT))
        .filter(it -> it.startsWith("application/cloudevents+json"))
        .isPresent();
  }

  /**
   * Extracts the header {@code id}, in which Debezium's outbox event router writes the id of the
   * outbox row. A row that the connector publishes again, after a crash or a new snapshot, has the
   * same id. The bytes depend on the {@code header.converter} of the connector (a plain text by
   * default): changing that converter changes all ids.
   *
   * @param <K> the record's key
   * @param <V> the record's value
   * @return an extractor that returns empty if the header is missing, null or empty
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> debeziumOutbox() {
    return header("id");
  }

  /**
   * Extracts a field of a deserialized value, for example of a class that Avro or Protobuf
   * generated: {@code KafkaIds.<String, OrderPlaced>value(OrderPlaced::getOrderId)}.
   *
   * @param field reads the id, of a type of {@link IdExtractor#ofValue}; null if the value has none
   * @param <K> the record's key
   * @param <V> the record's value
   * @return an extractor that returns empty if the value or the field is null or empty, or if a
   *     text is not usable, see {@link #key}. It throws {@link IllegalArgumentException} for a
   *     field of another type
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> value(
      Function<? super V, ? extends @Nullable Object> field) {
    return record -> {
      V value = record.value();
      return value == null ? Optional.empty() : IdExtractor.ofValue(field.apply(value));
    };
  }

  /**
   * Makes an id of the place of a record: the id of its topic, its partition and its offset. Use it
   * for records without any business id, as the last of {@link IdExtractor#firstOf}. It only
   * recognises redeliveries by the broker. Unlike
   * {@link io.hapax.policy.MissingIdPolicy#COORDINATES} it does not take the records of a topic
   * that was deleted and created again for those of the old topic.
   *
   * <p>The brokers are asked here, once. Stop the consumers of a topic before you delete it: a
   * running one keeps the id that it knows.
   *
   * @param properties properties of the connection to the brokers, with {@code bootstrap.servers}
   * @param topics all topics that are read
   * @param <K> the record's key
   * @param <V> the record's value
   * @return an extractor; it throws {@link IllegalArgumentException} for a record of another topic
   * @throws IllegalArgumentException if a topic does not exist
   * @throws IllegalStateException if the brokers did not answer
   */
  public static <K, V> IdExtractor<ConsumerRecord<K, V>> coordinates(
      Map<?, ?> properties, Collection<String> topics) {
    return TopicCoordinates.of(ConsumerSettings.named(properties), topics);
  }
}
