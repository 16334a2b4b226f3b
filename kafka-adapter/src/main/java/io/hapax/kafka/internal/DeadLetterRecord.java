package io.hapax.kafka.internal;

import io.hapax.DeadLetter;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.adapter.deadletter.OmittedHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Makes dead-letter records, and reads in their headers which parts of the record are missing. */
public final class DeadLetterRecord {

  private static final Set<String> OURS = Stream.of(
          DeadLetterMetadata.NAMES,
          OmittedHeaders.NAMES,
          SpringHeaders.NAMES,
          List.of(
              DeadLetterHeaders.TIMESTAMP,
              DeadLetterHeaders.BODY_BYTES,
              DeadLetterHeaders.KEY_BYTES))
      .flatMap(Collection::stream)
      .collect(Collectors.toUnmodifiableSet());

  /** Enough to recognize a record, and far below any limit that brokers have. */
  public static final int HEAD = 4_096;

  /** The room for the record's own headers beside a head. */
  private static final int HEADERS = 16_384;

  private static final int LONGEST_NAMES = 4_096;

  /**
   * A part of a record that its dead-letter record does not hold.
   *
   * @param part value, key or headers
   * @param what the number of bytes, or the names of the headers
   */
  public record Missing(String part, String what) {}

  private DeadLetterRecord() {}

  /** Returns those of the record, which it changes, and those that describe its failure. */
  public static Headers headers(
      Headers headers, DeadLetter<? extends ConsumerRecord<?, ?>> letter, Optional<String> group) {
    SpringHeaders.add(headers, letter, group);
    DeadLetterMetadata.of(letter).toProperties().forEach((name, text) -> put(headers, name, text));
    put(headers, DeadLetterHeaders.TIMESTAMP, Long.toString(letter.message().timestamp()));
    return headers;
  }

  /** Keeps the first bytes of the value, a short key, and the short ones of its own headers. */
  public static <K> ProducerRecord<K, byte[]> head(ProducerRecord<K, byte[]> whole, int keyBytes) {
    Headers headers = new RecordHeaders(whole.headers().toArray());
    headers.remove(SpringHeaders.STACK_TRACE);
    dropLongest(headers);
    byte[] value = whole.value();
    if (value != null && value.length > HEAD) {
      if (cutBefore(headers, value.length).isEmpty()) {
        put(headers, DeadLetterHeaders.BODY_BYTES, Integer.toString(value.length));
      }
      value = Arrays.copyOf(value, HEAD);
    }
    boolean withKey = keyBytes <= HEAD;
    if (!withKey) {
      put(headers, DeadLetterHeaders.KEY_BYTES, Integer.toString(keyBytes));
    }
    return new ProducerRecord<>(
        whole.topic(), whole.partition(), withKey ? whole.key() : null, value, headers);
  }

  private static void dropLongest(Headers headers) {
    List<Header> theirs = Arrays.stream(headers.toArray())
        .filter(header -> !OURS.contains(header.key()))
        .sorted(Comparator.comparingInt(DeadLetterRecord::bytes))
        .toList();
    int room = HEADERS;
    List<String> leftOut = new ArrayList<>();
    for (Header header : theirs) {
      room -= bytes(header);
      if (room < 0) {
        leftOut.add(header.key());
      }
    }
    if (!leftOut.isEmpty()) {
      leftOut.forEach(headers::remove);
      OmittedHeaders all = leftOut(headers).with(leftOut);
      OmittedHeaders.NAMES.forEach(headers::remove);
      all.toProperties(LONGEST_NAMES).forEach((name, text) -> put(headers, name, text));
    }
  }

  private static int bytes(Header header) {
    int value = header.value() == null ? 0 : header.value().length;
    return header.key().length() + value;
  }

  /** Returns which part of the record a dead-letter record does not hold; empty if it is whole. */
  public static Optional<Missing> missing(ConsumerRecord<?, ?> letter) {
    Headers headers = letter.headers();
    OmittedHeaders leftOut = leftOut(headers);
    Optional<String> key =
        letter.key() == null ? text(headers, DeadLetterHeaders.KEY_BYTES) : Optional.empty();
    return cutBefore(headers, letter.serializedValueSize())
        .map(bytes -> new Missing("value", bytes))
        .or(() -> key.map(bytes -> new Missing("key", bytes)))
        .or(() -> leftOut.isEmpty()
            ? Optional.empty()
            : Optional.of(new Missing("headers", leftOut.toText())));
  }

  /** Returns how long the value was before it was cut; empty if it is whole. */
  private static Optional<String> cutBefore(Headers headers, int length) {
    return text(headers, DeadLetterHeaders.BODY_BYTES)
        .filter(bytes -> bytes.matches("\\d{1,10}") && length < Long.parseLong(bytes));
  }

  private static OmittedHeaders leftOut(Headers headers) {
    return OmittedHeaders.read(name -> text(headers, name))
        .without(name -> headers.lastHeader(name) != null);
  }

  public static Headers own(ConsumerRecord<?, ?> letter) {
    Headers headers = new RecordHeaders(letter.headers().toArray());
    OURS.forEach(headers::remove);
    return headers;
  }

  /** A record that Spring Kafka published has a place and a reason only. */
  public static DeadLetterMetadata metadata(Headers headers) {
    DeadLetterMetadata ours = DeadLetterMetadata.read(name -> text(headers, name));
    Optional<RecordPlace> theirs = SpringHeaders.place(headers);
    if (!ours.coordinates().isEmpty() || theirs.isEmpty()) {
      return ours;
    }
    return new DeadLetterMetadata(
        "", "", 0, "", SpringHeaders.reason(headers), false, theirs.get().toString(), "");
  }

  public static Optional<String> text(Headers headers, String name) {
    return Optional.ofNullable(headers.lastHeader(name))
        .map(Header::value)
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }

  private static void put(Headers headers, String name, String value) {
    headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
