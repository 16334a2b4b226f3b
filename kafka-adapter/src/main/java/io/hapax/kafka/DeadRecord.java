package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.redrive.DeadLetterMetadata;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.StoredDeadLetter;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/** A record that {@link KafkaDeadLetterPublisher} or Spring Kafka published. */
record DeadRecord<K, V>(ConsumerRecord<K, V> letter, DeadLetterMetadata note) {

  static <K, V> DeadRecord<K, V> of(ConsumerRecord<K, V> letter) {
    return new DeadRecord<>(letter, DeadLetterRecord.metadata(letter.headers()));
  }

  StoredDeadLetter found(IdExtractor<ConsumerRecord<K, V>> ids, RedriveSettings settings) {
    Optional<RecordPlace> origin = RecordPlace.of(note.coordinates());
    return StoredDeadLetter.of(
        letter.topic() + '-' + letter.partition() + '@' + letter.offset(),
        letter.timestamp(),
        note,
        origin.map(it -> asItCame(it.offset())).orElse(letter),
        ids,
        origin.isPresent()
            ? settings
                .refusal(origin.get().partition().topic())
                .or(() -> DeadLetterRecord.missing(letter))
            : Optional.of("it does not name the place of its record"));
  }

  /** Returns the partition that the dead record was read from. */
  TopicPartition home() {
    return RecordPlace.of(note.coordinates())
        .map(RecordPlace::partition)
        .orElseThrow(() ->
            new IllegalStateException("'" + note.coordinates() + "' is not the place of a record"));
  }

  /** As its receiver saw it: its id may depend on its topic. */
  private ConsumerRecord<K, V> asItCame(long offset) {
    TopicPartition home = home();
    return new ConsumerRecord<>(
        home.topic(),
        home.partition(),
        offset,
        timestamp(),
        TimestampType.CREATE_TIME,
        letter.serializedKeySize(),
        letter.serializedValueSize(),
        letter.key(),
        letter.value(),
        DeadLetterRecord.own(letter),
        Optional.empty());
  }

  private long timestamp() {
    return DeadLetterRecord.text(letter.headers(), DeadLetterHeaders.TIMESTAMP)
        .filter(it -> it.matches("\\d{1,18}"))
        .map(Long::parseLong)
        .or(() -> SpringHeaders.timestamp(letter.headers()))
        .orElse(letter.timestamp());
  }

  /** What died, for the partition that it came from. */
  ProducerRecord<byte[], byte[]> revived(RecordProducer<K, V> producer) {
    TopicPartition home = home();
    return producer.serialized(
        home.topic(), home.partition(), letter, DeadLetterRecord.own(letter));
  }
}
