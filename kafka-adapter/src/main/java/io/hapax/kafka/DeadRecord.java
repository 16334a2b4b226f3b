package io.hapax.kafka;

import io.hapax.IdExtractor;
import io.hapax.redrive.DeadLetterNote;
import io.hapax.redrive.FoundLetter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A record that {@link KafkaDeadLetterPublisher} published. */
record DeadRecord<K, V>(ConsumerRecord<K, V> letter, DeadLetterNote note) {

  private static final Pattern COORDINATES = Pattern.compile("(.+)-(\\d{1,9})@\\d+");

  static <K, V> DeadRecord<K, V> of(ConsumerRecord<K, V> letter) {
    return new DeadRecord<>(letter, DeadLetterNote.read(name -> text(letter, name)));
  }

  private static Optional<String> text(ConsumerRecord<?, ?> letter, String name) {
    return Optional.ofNullable(letter.headers().lastHeader(name))
        .map(Header::value)
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }

  FoundLetter found(IdExtractor<ConsumerRecord<K, V>> ids) {
    return FoundLetter.of(
        letter.topic() + '-' + letter.partition() + '@' + letter.offset(),
        note,
        letter,
        ids,
        origin().matches() ? Optional.empty() : Optional.of("it does not say where it came from"));
  }

  private Matcher origin() {
    return COORDINATES.matcher(note.coordinates());
  }

  /** Where it came from. */
  TopicPartition home() {
    Matcher origin = origin();
    if (!origin.matches()) {
      throw new IllegalStateException("'" + note.coordinates() + "' is no place of a record");
    }
    return new TopicPartition(origin.group(1), Integer.parseInt(origin.group(2)));
  }

  /** What died, for the partition that it came from. */
  ProducerRecord<K, V> revived() {
    TopicPartition home = home();
    Headers headers = new RecordHeaders(letter.headers().toArray());
    DeadLetterNote.NAMES.forEach(headers::remove);
    headers.remove(KafkaDeadLetterPublisher.TIMESTAMP);
    return new ProducerRecord<>(
        home.topic(), home.partition(), letter.key(), letter.value(), headers);
  }
}
