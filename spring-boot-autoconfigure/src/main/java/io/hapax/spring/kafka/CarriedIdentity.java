package io.hapax.spring.kafka;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Carries id and fingerprint through retry topics, for which Spring serializes key and value again.
 * The header counts on retry topics only.
 */
record CarriedIdentity(
    String consumer,
    Set<String> firstTopics,
    IdExtractor<ConsumerRecord<Object, Object>> ids,
    Function<ConsumerRecord<Object, Object>, Fingerprint> fingerprints) {

  private String header() {
    return "hapax-retried-" + consumer;
  }

  Optional<Bytes> idOf(ConsumerRecord<Object, Object> record) {
    Optional<byte[]> carried = carried(record);
    return carried.isEmpty()
        ? ids.idOf(record)
        : carried.map(it -> Bytes.of(Arrays.copyOfRange(it, Long.BYTES, it.length)));
  }

  Fingerprint fingerprintOf(ConsumerRecord<Object, Object> record) {
    return carried(record)
        .map(it -> new Fingerprint(ByteBuffer.wrap(it).getLong()))
        .orElseGet(() -> fingerprints.apply(record));
  }

  private Optional<byte[]> carried(ConsumerRecord<Object, Object> record) {
    return Optional.ofNullable(record.headers().lastHeader(header()))
        .filter(header -> !firstTopics.contains(record.topic()))
        .map(Header::value);
  }

  /** Without an id or a fingerprint the copy is read as its first record was. */
  void addTo(ConsumerRecord<Object, Object> record) {
    Optional<byte[]> both = both(record);
    record.headers().remove(header());
    both.ifPresent(it -> record.headers().add(header(), it));
  }

  private Optional<byte[]> both(ConsumerRecord<Object, Object> record) {
    try {
      long fingerprint = fingerprintOf(record).value();
      return idOf(record)
          .map(Bytes::toByteArray)
          .map(id -> ByteBuffer.allocate(Long.BYTES + id.length)
              .putLong(fingerprint)
              .put(id)
              .array());
    } catch (Exception e) { // of the application's functions, which have failed before, too
      return Optional.empty();
    }
  }
}
