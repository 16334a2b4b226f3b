package io.hapax.spring.kafka;

import io.hapax.mark.Bytes;
import io.hapax.spring.listener.MessageFields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.kafka.support.KafkaHeaders;

/** Reads the parts of a record. A listener without retry topics has no first topics. */
record KafkaFields(Set<String> firstTopics)
    implements MessageFields<ConsumerRecord<Object, Object>> {

  /** Returns the first topic. A retry topic's record names it in a header, which may be forged. */
  @Override
  public String topic(ConsumerRecord<Object, Object> record) {
    if (firstTopics.isEmpty() || firstTopics.contains(record.topic())) {
      return record.topic();
    } else if (firstTopics.size() == 1) {
      return firstTopics.iterator().next();
    }
    return Optional.ofNullable(record.headers().lastHeader(KafkaHeaders.ORIGINAL_TOPIC))
        .map(header -> new String(header.value(), StandardCharsets.UTF_8))
        .filter(firstTopics::contains)
        .orElseGet(record::topic);
  }

  @Override
  public Optional<Bytes> header(ConsumerRecord<Object, Object> record, String name) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .map(Header::value)
        .flatMap(KafkaFields::notEmpty);
  }

  @Override
  public Optional<Bytes> key(ConsumerRecord<Object, Object> record) {
    return PolledRecord.keyBytes(record).flatMap(KafkaFields::notEmpty);
  }

  private static Optional<Bytes> notEmpty(byte[] bytes) {
    return bytes.length == 0 ? Optional.empty() : Optional.of(Bytes.of(bytes));
  }

  @Override
  public Optional<byte[]> value(ConsumerRecord<Object, Object> record) {
    return PolledRecord.valueBytes(record);
  }

  @Override
  public Root root(ConsumerRecord<Object, Object> record) {
    ConsumerRecord<Object, Object> plain = PolledRecord.plain(record);
    Map<String, Object> headers = new HashMap<>();
    for (Header header : plain.headers()) {
      if (header.value() != null) {
        headers.put(header.key(), textOrBytes(header.value()));
      }
    }
    return new Root(plain.value(), plain.key(), headers, topic(record));
  }

  private static Object textOrBytes(byte[] value) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException noText) {
      return value;
    }
  }
}
